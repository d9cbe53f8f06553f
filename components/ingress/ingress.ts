import * as pulumi from "@pulumi/pulumi";
import { mergeValues } from "../../foundation/json/merge";
import type { Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import { rolePrefix, type OnEks } from "../cluster/onEks/onEks";
import type { DataPart } from "../resources/dataGuard";
import { chartAccount } from "../cluster/serviceAccountRole/plan";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { CERTIFICATES, DNS, LOAD_BALANCER, NGINX } from "./accounts";
import { certificateStatements, certificateValues, issuerOf } from "./certificates/values";
import { dnsStatements, dnsValues } from "./dns/values";
import { loadBalancerStatements } from "./loadBalancer/permissions";
import { nginxValues, type BalancerOwner } from "./nginx";
import type { IngressSettings, LoadBalancerSettings, ServedCluster } from "./config/schema";
import {
  createSystemRelease,
  createSystemRole,
  type SystemRelease,
  type SystemRole,
} from "../cluster/systemChart/systemChart";

// Helm values of the chart `aws-load-balancer-controller`. Pure.

/** Values that are known once the cluster exists. */
interface Found {
  readonly vpcId: string;
  /** Role in the annotation of the service account. Not set with Pod Identity. */
  readonly roleArn?: string | undefined;
}

export function loadBalancerValues(
  settings: LoadBalancerSettings,
  { name, region }: ServedCluster,
  { vpcId, roleArn }: Found,
): Record<string, unknown> {
  const values = {
    fullnameOverride: LOAD_BALANCER.release,
    clusterName: name,
    // Set explicitly, because pods can't reach the metadata service.
    region,
    vpcId,
    serviceAccount: chartAccount(LOAD_BALANCER.release, roleArn),
    replicaCount: settings.replicas,
    podDisruptionBudget: { maxUnavailable: 1 },
    ingressClass: settings.className,
    defaultTargetType: "ip",
    defaultLoadBalancerScheme: settings.scheme,
    // Existing Services of type LoadBalancer keep their controller, unless they name a class.
    enableServiceMutatorWebhook: false,
    // Keeps the certificate of its webhook across upgrades.
    keepTLSSecret: true,
    // Disabled, because its role lacks the permissions.
    enableShield: false,
    enableWaf: false,
    enableWafv2: false,
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}

export interface IngressArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including those used here. */
  readonly charts: Charts;
  /** Plain, because names and the shape of the graph depend on it. */
  readonly settings: IngressSettings;
  /** The EKS cluster to install on. */
  readonly served: OnEks;
  /**
   * What created the existing load balancer of nginx. Default: none exists, and the controller creates it if
   * configured.
   */
  readonly nginxOwner?: BalancerOwner | undefined;
}

/** Ingress controllers, DNS records and certificates on EKS. Each part is an upstream chart with its own IAM role. */
export class Ingress extends pulumi.ComponentResource {
  /** What the guard of data protects. */
  readonly dataParts: DataPart[] = [];

  constructor(name: string, args: IngressArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Ingress"), name, {}, opts);
    const { settings, served, cluster } = args;
    const controller = settings.awsLoadBalancerController && this.createController(name, args);
    const { nginx, externalDns, certManager } = settings;
    if (nginx) {
      const { timeoutSeconds } = nginx;
      const owner = args.nginxOwner ?? (controller === undefined ? "kubernetes" : "controller");
      const values = nginxValues(nginx, owner);
      // With the AWS Load Balancer Controller, its webhook must respond before a Service is created.
      this.release(`${name}-nginx`, {
        ...args,
        ...{ chart: "ingress-nginx", account: NGINX, values, timeoutSeconds },
        dependsOn: [controller],
      });
    }
    if (externalDns) {
      const { arn, made } = this.roleOf(`${name}-dns`, args, externalDns, DNS, (of) => dnsStatements(of, externalDns));
      const values = arn.apply((roleArn) => dnsValues(externalDns, served, roleArn));
      const { timeoutSeconds } = externalDns;
      this.release(`${name}-dns`, {
        ...args,
        ...{ chart: "external-dns", account: DNS, values, timeoutSeconds },
        dependsOn: [made, controller],
      });
    }
    if (certManager) {
      const statements = (of: string) => certificateStatements(of, certManager);
      const byRecords = certManager.zones.length > 0 ? statements : undefined;
      const { arn, made } = this.roleOf(`${name}-certificates`, args, certManager, CERTIFICATES, byRecords);
      const values = arn.apply((roleArn) => certificateValues(certManager, roleArn));
      const { timeoutSeconds } = certManager;
      const there = this.release(`${name}-certificates`, {
        ...args,
        ...{ chart: "cert-manager", account: CERTIFICATES, values, timeoutSeconds },
        dependsOn: [made, controller],
      });
      // During a preview, the kind does not exist until the release has installed it.
      const objects = there.id.apply(() => [issuerOf(certManager, served)]);
      const set = {
        ...cluster.access,
        name: "cluster-issuer",
        namespace: "kube-system",
        objects,
      };
      new ManifestSet(`${name}-issuer`, set, { parent: this, dependsOn: there });
    }
    this.registerOutputs({});
  }

  private createController(name: string, args: IngressArgs): pulumi.Resource {
    const { settings, served, cluster } = args;
    const controller = settings.awsLoadBalancerController!;
    const { arn, made } = this.roleOf(`${name}-alb`, args, controller, LOAD_BALANCER, loadBalancerStatements);
    const values = pulumi
      .all([arn, cluster.identity?.vpcId])
      .apply(([roleArn, vpcId = ""]) => loadBalancerValues(controller, served, { vpcId, roleArn }));
    const { timeoutSeconds, allowCrdChanges } = controller;
    return this.release(`${name}-alb`, {
      ...args,
      ...{ chart: "aws-load-balancer-controller", account: LOAD_BALANCER, values, timeoutSeconds, allowCrdChanges },
      dependsOn: [made],
    });
  }

  private release(name: string, args: SystemRelease): pulumi.CustomResource {
    const { release, dataPart } = createSystemRelease(name, args, this);
    this.dataParts.push(dataPart);
    return release;
  }

  /** The configured or created role of a part: its annotation for pods, and the resources that pods depend on. */
  private roleOf(
    name: string,
    { cluster, served }: IngressArgs,
    { roleArn }: { readonly roleArn?: string },
    account: SystemRole["account"],
    statements: ((clusterArn: string) => SystemRole["statements"]) | undefined,
  ): { arn: pulumi.Output<string | undefined>; made: pulumi.Resource | undefined } {
    const { identity } = served;
    const clusterArn = cluster.identity?.arn;
    if (roleArn !== undefined || statements === undefined || clusterArn === undefined) {
      return { arn: pulumi.output(roleArn), made: undefined };
    }
    const allowed = pulumi.output(clusterArn).apply(statements);
    const role = { cluster, rolePrefix: rolePrefix(served), identity, account, statements: allowed } as SystemRole;
    const made = createSystemRole(name, role, this);
    return { arn: pulumi.output(identity === "irsa" ? made?.roleArn : undefined), made };
  }
}
