import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import { isAlone } from "../cluster/access/placed";
import { ownStack } from "../resources/ownState";
import { component } from "../resources/package";
import { ProvisionerRegistration, type ProvisionerRegistrationArgs } from "../resources/provisionerRegistration";
import { reachOf } from "../runtime/databaseAccess";
import type {
  ClickHouseConfig,
  ClickHouseProvisioner,
  StaticClickHouse,
  TemplatedConfig,
} from "../runtime/clickhouse/settings";

export interface ClickHouseSetArgs {
  /** ClickHouse provisioners by name. Plain, because each is registered by a resource. */
  readonly clickhouse: Readonly<Record<string, ClickHouseConfig>>;
  /** The platform's cluster. Required if a provisioner of type `kubernetes` has no access of its own. */
  readonly cluster?: Cluster;
  /** Server URL of that cluster, if known. Used to recognize a provisioner's own kubeconfig for the same cluster. */
  readonly clusterServer?: string;
  /**
   * What is deleted only after the check that no deployment has a database, so that a refused destroy has deleted
   * nothing. Default: nothing.
   */
  readonly guarded?: readonly pulumi.Resource[];
}

/** The ClickHouse provisioners of a platform. Registers each one, so that a provisioner in use can't be removed. */
export class ClickHouseSet extends pulumi.ComponentResource {
  /**
   * The provisioners as runtime stacks read them. Secret, because they contain URLs with passwords, and kubeconfigs.
   */
  public readonly provisioners: pulumi.Output<Record<string, ClickHouseProvisioner>>;

  constructor(name: string, args: ClickHouseSetArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("ClickHouseSet"), name, {}, opts);
    const platform = ownStack();
    const registration = { parent: this, dependsOn: [...(args.guarded ?? [])] };
    const exported = Object.entries(args.clickhouse).map(([provisioner, config]) => {
      const common = { platform, provisioner, gives: "clickhouse" };
      const way = config.type === "static" ? onServer(provisioner, config, args) : inCluster(provisioner, config, args);
      // The type is part of the name: a changed type deletes the old registration, which fails if deployments use it.
      const own = { ...common, ...way };
      const { clusterUid } = new ProvisionerRegistration(`${name}-${config.type}-${provisioner}`, own, registration);
      return [provisioner, exportedAs(provisioner, config, args.cluster, clusterUid)] as const;
    });
    this.provisioners = pulumi.secret(pulumi.output(Object.fromEntries(exported)));
    this.registerOutputs({ provisioners: this.provisioners });
  }
}

type Way = Omit<ProvisionerRegistrationArgs, "platform" | "provisioner">;

function onServer(name: string, { url }: StaticClickHouse, { clickhouse }: ClickHouseSetArgs): Way {
  const { host, port } = reachOf(url);
  const alone = Object.entries(clickhouse).every(([other, config]) => {
    if (other === name || config.type !== "static") return true;
    const reach = reachOf(config.url);
    return reach.host !== host || reach.port !== port;
  });
  return { url, alone };
}

function inCluster(name: string, { access, settings }: TemplatedConfig, args: ClickHouseSetArgs): Way {
  const { kubeconfig, context } = access ?? args.cluster?.access ?? {};
  const templated = Object.entries(args.clickhouse).flatMap(([other, config]) =>
    config.type === "kubernetes" ? [[other, config] as const] : [],
  );
  const alone = isAlone(name, Object.fromEntries(templated), args.clusterServer);
  return { kubeconfig, context, namespace: settings.namespace, alone };
}

function exportedAs(
  name: string,
  entry: ClickHouseConfig,
  platform: Cluster | undefined,
  uid: pulumi.Output<string | undefined>,
): pulumi.Input<ClickHouseProvisioner> {
  if (entry.type === "static") return entry;
  const { type, settings } = entry;
  const way = entry.access ?? platform;
  if (way === undefined) {
    const reason = `missing, but the clickhouse provisioner ${name} uses the platform's`;
    throw new pulumi.InputPropertyError({ propertyPath: "cluster", reason });
  }
  return pulumi
    .all([way.kubeconfig, way.context, way.server, uid])
    .apply(([kubeconfig, context, cluster, clusterUid]) => {
      const known = {
        ...(kubeconfig && { kubeconfig }),
        ...(context && { context }),
        ...(clusterUid && { clusterUid }),
      };
      return { type, ...settings, ...known, cluster };
    });
}
