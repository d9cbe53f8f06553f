import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import { createSystemRelease } from "../cluster/systemChart/systemChart";
import type { DataPart } from "../resources/dataGuard";
import { component } from "../resources/package";
import type { Cluster } from "../cluster/cluster";
import { GPU_PLUGIN, gpuPluginValues, type GpuPluginSettings } from "./plan";

export interface GpuDevicePluginArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Plain, because names and the shape of the graph depend on it. */
  readonly settings: GpuPluginSettings;
}

/** NVIDIA's device plugin on GPU nodes that lack it. */
export class GpuDevicePlugin extends pulumi.ComponentResource {
  /** What the guard of data protects. */
  readonly dataParts: readonly DataPart[];

  constructor(
    name: string,
    { cluster, charts, settings }: GpuDevicePluginArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(component("GpuDevicePlugin"), name, {}, opts);
    const { timeoutSeconds } = settings;
    const values = gpuPluginValues(settings);
    const chart = { chart: "nvidia-device-plugin", account: GPU_PLUGIN, values, timeoutSeconds } as const;
    this.dataParts = [createSystemRelease(name, { cluster, charts, ...chart, dependsOn: [] }, this).dataPart];
    this.registerOutputs({});
  }
}
