import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import type { NamespaceUser } from "../namespaces/settings";
import type { DataPart } from "../resources/dataGuard";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { rayEndpoint, type RayClusterConfig, type RayEndpoint } from "./clusters";
import { makeOperator } from "./operator/operator";
import type { OperatorSettings } from "./operator/settings";
import { plannedNamespaces } from "./plan";
import { RayCluster } from "./rayCluster";

export interface RayArgs {
  /** Where they run. */
  readonly cluster: Cluster;
  /** The fetched charts; the operator's is among them where a cluster is of mode `kuberay`. */
  readonly charts: Charts;
  /** Ray clusters by name. Plain, because each is a component. */
  readonly clusters: Readonly<Record<string, RayClusterConfig>>;
  /** The operator; used where a cluster is of mode `kuberay`. Plain. */
  readonly operator: OperatorSettings;
}

/** A cluster as other components reach it. */
export interface ReachedRay {
  /** Plain, because what they need of it are resources. */
  readonly access: RayEndpoint;
  /** Known once it is ready, and in a preview when it was made before. */
  readonly ready: pulumi.Output<unknown>;
}

/** The platform's Ray clusters, with their namespaces and, where one needs it, the KubeRay operator. */
export class Ray extends pulumi.ComponentResource {
  /** Where each cluster is reached, by its name. */
  public readonly endpoints: Readonly<Record<string, pulumi.Output<RayEndpoint>>>;
  /** What of them holds data. */
  public readonly dataParts: readonly DataPart[];
  private readonly all: Readonly<Record<string, ReachedRay>>;

  constructor(name: string, args: RayArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("Ray"), name, {}, opts);
    const { cluster, clusters } = args;
    const namespaces = new Map(
      [...plannedNamespaces(clusters)].map(([each, users]) => [each, this.makeNamespace(name, each, users, cluster)]),
    );
    const needsOperator = Object.values(clusters).some(({ mode }) => mode === "kuberay");
    const operator = needsOperator
      ? makeOperator(`${name}-operator`, { cluster, charts: args.charts, settings: args.operator }, this)
      : undefined;

    const made = Object.fromEntries(
      Object.entries(clusters).map(([clusterName, config]) => {
        const needed = config.mode === "kuberay" ? operator : undefined;
        const ground = namespaces.get(config.namespace);
        // Made after the operator, so removed before it: the operator clears the finalizers of its clusters.
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
    this.all = Object.fromEntries(
      Object.entries(made).map(([clusterName, { made: ready }]) => [
        clusterName,
        { access: rayEndpoint(clusterName, clusters[clusterName]!), ready },
      ]),
    );
    this.dataParts = Object.values(made).map((each) => each.dataPart);
    this.registerOutputs({ endpoints: this.endpoints });
  }

  /** The cluster of this name; without one the first by name, which other components of the platform use then. */
  reached(clusterName: string | undefined): ReachedRay | undefined {
    return this.all[clusterName ?? Object.keys(this.all)[0] ?? ""];
  }

  /** Secrets of the user's own may be in it, so it stays when Ray goes. */
  private makeNamespace(
    name: string,
    namespace: string,
    users: readonly NamespaceUser[],
    cluster: Cluster,
  ): ManifestSet {
    const objects = namespaceObjects(namespace, users);
    return new ManifestSet(
      `${name}-namespace-${namespace}`,
      { ...cluster.access, name: "namespace", namespace, objects },
      { parent: this, retainOnDelete: true },
    );
  }
}
