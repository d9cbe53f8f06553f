import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { DataPart } from "../resources/dataGuard";
import { dataPart, partOwner } from "../resources/guard/dataPart";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import { RayJob } from "../resources/jobs/rayJob";
import { keptSecret } from "../../foundation/pulumi/keptSecret";
import type { RayEndpoint } from "../contract/site";
import type { RayClusterConfig } from "./config/schema";
import { jobArgs } from "./jobArgs";
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
    const jobs = this.createJobs(name, args, set);
    this.endpoint = pulumi
      .all([set.urn, jobs])
      .apply(([, ids]) => ({ ...rayEndpoint(clusterName, config), ...(Object.keys(ids).length > 0 && { jobs: ids }) }));
    this.registerOutputs({ endpoint: this.endpoint });
  }

  /** Submits the jobs without a schedule, each by itself. Returns the ids of their runs by name. */
  private createJobs(name: string, { cluster, clusterName, config }: RayClusterArgs, set: ManifestSet) {
    const { namespace, auth } = config;
    const { service, dashboard } = rayEndpoint(clusterName, config);
    const place = { namespace, service, port: Number(new URL(dashboard).port) };
    const ids = config.jobs.flatMap((job): [string, pulumi.Output<string>][] => {
      if (job.schedule !== undefined) return [];
      const { submissionId } = new RayJob(
        `${name}/${job.key}`,
        {
          ...cluster.access,
          ...place,
          ...(auth && { tokenSecret: auth.secretName }),
          ...jobArgs(pulumi.getStack(), clusterName, job),
        },
        { parent: this, dependsOn: [set] },
      );
      return [[job.key, submissionId]];
    });
    return pulumi.output(Object.fromEntries(ids));
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
