import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { ClickHouseConfig, ClickHouseProvisioner } from "./settings";

/** The provisioners of databases as runtime stacks read them; secret, because URLs and kubeconfigs are in it. */
export function exportedClickHouse(
  config: Readonly<Record<string, ClickHouseConfig>>,
  cluster: Cluster | undefined,
): pulumi.Output<Record<string, ClickHouseProvisioner>> {
  const entries = Object.entries(config).map(([name, entry]) => [name, exported(name, entry, cluster)] as const);
  return pulumi.secret(pulumi.output(Object.fromEntries(entries)));
}

function exported(
  name: string,
  entry: ClickHouseConfig,
  platform: Cluster | undefined,
): pulumi.Input<ClickHouseProvisioner> {
  if (entry.type === "static") return entry;
  const { type, settings } = entry;
  const way = entry.access ?? platform;
  if (way === undefined) {
    const reason = `missing, but the clickhouse provisioner ${name} uses the platform's`;
    throw new pulumi.InputPropertyError({ propertyPath: "cluster", reason });
  }
  return pulumi.all([way.kubeconfig, way.context, way.server]).apply(([kubeconfig, context, cluster]) => {
    const known = { ...(kubeconfig && { kubeconfig }), ...(context && { context }) };
    return { type, ...settings, ...known, cluster };
  });
}
