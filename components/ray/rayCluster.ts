import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { DataPart } from "../resources/dataGuard";
import { dataPart } from "../resources/guard/guardData";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { rayEndpoint, type RayClusterConfig, type RayEndpoint } from "./clusters";
import { chartValues } from "./plan";
import { renderRay } from "./render";

export interface RayClusterArgs {
  /** Where it runs. */
  readonly cluster: Cluster;
  /** Name of the Ray cluster; its objects are named by it. */
  readonly clusterName: string;
  /** Plain, because the chart is rendered from it. */
  readonly config: RayClusterConfig;
  /** Known when the cluster has the kinds of the KubeRay operator; until then a preview can't check the objects. */
  readonly operator?: pulumi.Input<unknown>;
}

/** One Ray cluster: the chart's objects applied as one, and awaited until head and workers are ready. */
export class RayCluster extends pulumi.ComponentResource {
  /** Where it is reached, once it is ready. */
  public readonly endpoint: pulumi.Output<RayEndpoint>;
  /** What of it holds data. */
  public readonly dataPart: DataPart;
  /** Known once it is ready, and in a preview when it was made before. */
  public readonly made: pulumi.Output<unknown>;

  constructor(name: string, args: RayClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("RayCluster"), name, {}, opts);
    const { cluster, clusterName, config, operator } = args;
    const { namespace, timeoutSeconds } = config;
    const rendered = renderRay(chartValues(clusterName, config), namespace, { parent: this });
    const objects = pulumi.all([rendered, operator]).apply(([manifests]) => manifests);
    const setName = `ray-${clusterName}`;
    const set = new ManifestSet(
      `${name}-objects`,
      // A head of another mode has the same address, and its pods the same nodes: two can't be at a time.
      { ...cluster.access, name: setName, namespace, objects, timeoutSeconds, protectData: true, removeFirst: true },
      { parent: this },
    );
    this.dataPart = dataPart(cluster.access, { type: "set", namespace, name: setName, inventory: set.inventory });
    this.made = set.id;
    this.endpoint = pulumi.output(set.urn).apply(() => rayEndpoint(clusterName, config));
    this.registerOutputs({ endpoint: this.endpoint });
  }
}
