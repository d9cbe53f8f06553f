import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { ChartName } from "../charts/table";
import type { Cluster } from "../cluster/cluster";
import { createSystemRelease } from "../cluster/systemChart/systemChart";
import type { DataPart } from "../resources/dataGuard";
import { component } from "../resources/package";

/** A release in the namespace of the system. */
interface PluginAccount {
  readonly release: string;
  readonly namespace: string;
}

export interface DevicePluginArgs {
  /** Type of the component. */
  readonly token: string;
  readonly chart: ChartName;
  readonly account: PluginAccount;
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Helm values. Plain, because names and the shape of the graph depend on them. */
  readonly values: Record<string, unknown>;
  readonly timeoutSeconds: number;
}

/** A device plugin on the nodes that lack it. */
export class DevicePlugin extends pulumi.ComponentResource {
  /** What the guard of data protects. */
  readonly dataParts: readonly DataPart[];

  constructor(name: string, { token, ...args }: DevicePluginArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component(token), name, {}, opts);
    this.dataParts = [createSystemRelease(name, { ...args, dependsOn: [] }, this).dataPart];
    this.registerOutputs({});
  }
}
