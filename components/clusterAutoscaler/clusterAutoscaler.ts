import { Release } from "@pulumi/kubernetes/helm/v3/release";
import * as pulumi from "@pulumi/pulumi";
import { chartSource, type Charts } from "../charts/charts";
import { component } from "../resources/package";
import type { Cluster } from "../cluster/cluster";
import type { Identity } from "../cluster/onEks/onEks";
import { roleName } from "../cluster/serviceAccountRole/plan";
import { ServiceAccountRole } from "../cluster/serviceAccountRole/serviceAccountRole";
import { autoscalerStatements } from "./permissions";
import { AUTOSCALER, chartValues } from "./plan";
import type { AutoscalerSettings } from "./settings";

export interface ClusterAutoscalerArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Plain, because names and the shape of the graph depend on it. */
  readonly settings: AutoscalerSettings;
  /** How its pods get a role that is created here. Default: no role is created. */
  readonly identity?: Identity;
  /** Prefix of the role's name. Default: the cluster's name. */
  readonly rolePrefix?: string;
}

/** The cluster-autoscaler on EKS: the upstream chart, and a role limited to the groups of this cluster. */
export class ClusterAutoscaler extends pulumi.ComponentResource {
  /** ARN of its role; undefined if the config names none and none is created. */
  readonly roleArn: pulumi.Output<string | undefined>;

  constructor(name: string, args: ClusterAutoscalerArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ClusterAutoscaler"), name, {}, opts);
    const { settings, cluster, identity } = args;
    const made = this.createRole(name, args);
    const annotated = identity === "podIdentity" ? undefined : (made?.roleArn ?? settings.cluster.roleArn);
    const values = pulumi.output(annotated).apply((roleArn) => chartValues(settings, roleArn));
    new Release(
      `${name}-release`,
      {
        name: AUTOSCALER.release,
        namespace: AUTOSCALER.namespace,
        ...chartSource("cluster-autoscaler", args.charts),
        values,
        atomic: true,
        cleanupOnFail: true,
        maxHistory: 5,
        timeout: settings.timeoutSeconds,
      },
      // A pod gets its role when it starts, so the role must be complete first.
      { parent: this, provider: cluster.provider, dependsOn: made ?? [] },
    );
    this.roleArn = pulumi.output(made?.roleArn ?? settings.cluster.roleArn);
    this.registerOutputs({ roleArn: this.roleArn });
  }

  private createRole(name: string, args: ClusterAutoscalerArgs): ServiceAccountRole | undefined {
    const { cluster, identity, settings } = args;
    if (identity === undefined || cluster.identity === undefined) return undefined;
    return new ServiceAccountRole(
      `${name}-role`,
      {
        cluster: cluster.identity,
        roleName: roleName(args.rolePrefix ?? settings.cluster.name, AUTOSCALER.release),
        identity,
        subjects: { [AUTOSCALER.namespace]: [AUTOSCALER.release] },
        // The chart creates it.
        serviceAccounts: "none",
        statements: pulumi.output(cluster.identity.arn).apply(autoscalerStatements),
      },
      { parent: this },
    );
  }
}
