import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import type { NamespaceUser } from "../namespaces/settings";
import type { DataPart } from "../resources/dataGuard";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { RayEndpoint, ReachedRay } from "../contract/site";
import type { RayClusterConfig } from "./config/schema";
import { headLabels, rayEndpoint } from "./plan";
import { createOperator } from "./operator/operator";
import type { OperatorSettings } from "./operator/config/schema";
import { plannedNamespaces } from "./plan";
import { RayCluster } from "./rayCluster";

export interface RayArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the operator's if a cluster has mode `kuberay`. */
  readonly charts: Charts;
  /** Ray clusters by name. Plain, because each is a component. */
  readonly clusters: Readonly<Record<string, RayClusterConfig>>;
  /** Settings of the operator, for clusters of mode `kuberay`. Plain. */
  readonly operator: OperatorSettings;
}

/** The platform's Ray clusters, their namespaces and, if needed, the KubeRay operator. */
export class Ray extends pulumi.ComponentResource {
  /** How to reach each cluster, by name. */
  public readonly endpoints: Readonly<Record<string, pulumi.Output<RayEndpoint>>>;
  /** The parts that hold data. */
  public readonly dataParts: readonly DataPart[];
  /** How other components reach each cluster, by name. */
  public readonly reached: Readonly<Record<string, ReachedRay>>;

  constructor(name: string, args: RayArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Ray"), name, {}, opts);
    const { cluster, clusters } = args;
    const namespaces = new Map(
      [...plannedNamespaces(clusters)].map(([each, users]) => [each, this.createNamespace(name, each, users, cluster)]),
    );
    const needsOperator = Object.values(clusters).some(({ mode }) => mode === "kuberay");
    const { release: operator, dataPart } = needsOperator
      ? createOperator(`${name}-operator`, { cluster, charts: args.charts, settings: args.operator }, this)
      : {};

    const made = Object.fromEntries(
      Object.entries(clusters).map(([clusterName, config]) => {
        const needed = config.mode === "kuberay" ? operator : undefined;
        const ground = namespaces.get(config.namespace);
        // Created after the operator and deleted before it, because the operator removes the finalizers of its
        // clusters.
        const before = [...(ground ? [ground] : []), ...(needed ? [needed] : [])];
        const rayCluster = new RayCluster(
          `${name}-${clusterName}`,
          { cluster, clusterName, config, operator: needed?.status },
          { parent: this, dependsOn: before },
        );
        return [clusterName, rayCluster];
      }),
    );
    this.endpoints = Object.fromEntries(
      Object.entries(made).map(([clusterName, { endpoint }]) => [clusterName, endpoint]),
    );
    this.reached = Object.fromEntries(
      Object.entries(made).map(([clusterName, { made: ready, token }]) => {
        const config = clusters[clusterName]!;
        const namespace = config.networkPolicy?.enabled === false ? undefined : namespaces.get(config.namespace);
        const closed = namespace && { head: headLabels(clusterName), namespace };
        return [clusterName, { access: rayEndpoint(clusterName, config), ready, token, closed }];
      }),
    );
    this.dataParts = [...(dataPart ? [dataPart] : []), ...Object.values(made).map((each) => each.dataPart)];
    this.registerOutputs({ endpoints: this.endpoints });
  }

  /** Creates a namespace. It is kept when Ray is removed, because it may contain the user's Secrets. */
  private createNamespace(
    name: string,
    namespace: string,
    users: readonly NamespaceUser[],
    cluster: Cluster,
  ): ManifestSet {
    const objects = namespaceObjects(namespace, users);
    return new ManifestSet(
      `${name}-namespace-${namespace}`,
      { ...cluster.access, name: "namespace", namespace, objects, shared: true, retained: true },
      { parent: this },
    );
  }
}
