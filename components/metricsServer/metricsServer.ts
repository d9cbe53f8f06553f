import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { DataPart } from "../resources/dataGuard";
import { component } from "../resources/package";
import type { Cluster } from "../cluster/cluster";
import { createSystemRelease } from "../cluster/systemChart/systemChart";
import { METRICS, metricsValues, type MetricsSettings } from "./plan";

export interface MetricsServerArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Plain, because names and the shape of the graph depend on it. */
  readonly settings: MetricsSettings;
}

/** metrics-server on a cluster that lacks it. */
export class MetricsServer extends pulumi.ComponentResource {
  /** What the guard of data protects. */
  readonly dataParts: readonly DataPart[];

  constructor(name: string, { cluster, charts, settings }: MetricsServerArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("MetricsServer"), name, {}, opts);
    const { timeoutSeconds } = settings;
    const values = metricsValues(settings);
    const release = { cluster, charts, chart: "metrics-server", account: METRICS, values, timeoutSeconds } as const;
    this.dataParts = [createSystemRelease(name, { ...release, dependsOn: [] }, this).dataPart];
    this.registerOutputs({});
  }
}
