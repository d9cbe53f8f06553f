import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { DataPart } from "../resources/dataGuard";
import { dataPart, partOwner } from "../resources/guard/dataPart";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { keptSecret } from "../../foundation/pulumi/keptSecret";
import type { RayEndpoint } from "../contract/site";
import type { RayClusterConfig } from "./config/schema";
import { rayEndpoint, inOrder, tokenSecret, type ChartValues, chartValues } from "./plan";
import { renderedChart } from "../charts/rendered";

interface RayClusterArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** Name of the Ray cluster, which prefixes the names of its objects. */
  readonly clusterName: string;
  /** Plain, because the chart is rendered with it. */
  readonly config: RayClusterConfig;
  /** Resolves when the cluster has the kinds of the KubeRay operator. Until then, a preview can't check the objects. */
  readonly operator?: pulumi.Input<unknown>;
}

/** A complete Kubernetes object. */
type Manifest = Record<string, unknown>;

/** Renders the objects of a Ray cluster with its chart, in the order of application. */
export async function renderRay(
  values: ChartValues,
  namespace: string,
  options: pulumi.InvokeOptions,
): Promise<Manifest[]> {
  const question = { chart: "ray-static-cluster", releaseName: "ray", namespace, values };
  return inOrder(await renderedChart(`stackyard:ray.${String(values["clusterName"])}`, question, options));
}

/** A Ray cluster: the chart's objects as one ManifestSet, which waits until head and workers are ready. */
export class RayCluster extends pulumi.ComponentResource {
  /** How to reach the cluster. Resolves when it is ready. */
  public readonly endpoint: pulumi.Output<RayEndpoint>;
  /** The part that holds data. */
  public readonly dataPart: DataPart;
  /** Resolves when the cluster is ready. Known in a preview if the cluster already exists. */
  public readonly made: pulumi.Output<unknown>;
  /** The token that the platform created for it. Secret. */
  public readonly token: pulumi.Output<string> | undefined;

  constructor(name: string, args: RayClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("RayCluster"), name, {}, opts);
    const { cluster, clusterName, config, operator } = args;
    const { namespace, timeoutSeconds } = config;
    const rendered = renderRay(chartValues(clusterName, config), namespace, { parent: this });
    const objects = pulumi.all([rendered, operator]).apply(([manifests]) => manifests);
    const setName = `ray-${clusterName}`;
    const token = config.auth?.isOwn === true ? this.createToken(name, args, config.auth.secretName) : undefined;
    this.token = token?.value;
    const set = new ManifestSet(
      `${name}-objects`,
      // A head of another mode has the same address, and its pods need the same nodes, so the old one is deleted first.
      { ...cluster.access, name: setName, namespace, objects, timeoutSeconds, protectData: true, removeFirst: true },
      { parent: this, ...(token && { dependsOn: token.set }) },
    );
    const { inventory } = set;
    this.dataPart = dataPart(cluster.access, {
      type: "set",
      namespace,
      name: setName,
      inventory,
      owner: partOwner(set),
    });
    this.made = set.id;
    this.endpoint = pulumi.output(set.urn).apply(() => rayEndpoint(clusterName, config));
    this.registerOutputs({ endpoint: this.endpoint });
  }

  private createToken(name: string, { cluster, clusterName, config }: RayClusterArgs, secret: string) {
    const kept = keptSecret(`${name}-token`, { token: randomBytes(32).toString("hex") }, this);
    const value = kept.apply(({ token }) => token);
    const objects = value.apply((token) => [tokenSecret(secret, token)]);
    const set = new ManifestSet(
      `${name}-token-secret`,
      { ...cluster.access, name: `ray-${clusterName}-token`, namespace: config.namespace, objects },
      { parent: this },
    );
    return { set, value };
  }
}
