import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/cluster";
import type { DataPart } from "../../resources/dataGuard";
import { dataPart } from "../../resources/guard/guardData";
import { ManifestSet } from "../../resources/manifestSet";
import { component } from "../../resources/package";
import type { TerasliceJobSettings } from "../job/settings";
import { TerasliceJobs } from "../job/terasliceJobs";
import type { TerasliceSettings } from "../settings";
import { clusterNames, objectsOf } from "./names";
import { planTeraslice } from "./plan";
import { rbacWarning } from "./rbac";
import { jobPodOverride } from "./secretConfig";

export interface TerasliceClusterArgs {
  /** Where it runs. */
  readonly cluster: Cluster;
  /** Plain, because all objects follow from it. */
  readonly settings: TerasliceSettings;
  /** What it runs. Plain, because each is a resource. Default: nothing. */
  readonly jobs?: readonly TerasliceJobSettings[];
}

/** How a Teraslice cluster is reached, and what its jobs need. */
export interface TerasliceEndpoint {
  /** Name of the Teraslice cluster. */
  readonly name: string;
  readonly namespace: string;
  /** The master's Service. */
  readonly service: string;
  /** The master's API, from pods of the Kubernetes cluster. */
  readonly url: string;
  /** Command that makes the API reachable from where it is run. */
  readonly forward: string;
  /** What jobs must have as `pod_spec_override`; absent when they need nothing. */
  readonly podSpecOverride?: Record<string, unknown>;
  /** Ids that the master gave the platform's jobs, by their names in the config; absent when there are none. */
  readonly jobs?: Readonly<Record<string, string>>;
}

/** A Teraslice master on Kubernetes, with the rights it needs; its objects applied as one, awaited until it is ready. */
export class TerasliceCluster extends pulumi.ComponentResource {
  /** Known once the master is ready. */
  public readonly endpoint: pulumi.Output<TerasliceEndpoint>;
  /** What of it holds data. */
  public readonly dataParts: readonly DataPart[];

  constructor(name: string, args: TerasliceClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("TerasliceCluster"), name, {}, opts);
    const { cluster, settings, jobs = [] } = args;
    const { namespace } = clusterNames(settings);
    const warning = rbacWarning(settings);
    if (warning !== undefined) void pulumi.log.warn(warning, this);
    for (const line of settings.warnings) void pulumi.log.warn(line, this);
    const setName = `teraslice-${settings.teraslice.name}`;
    const set = new ManifestSet(
      objectsOf(name),
      {
        ...cluster.access,
        name: setName,
        namespace,
        objects: planTeraslice(settings, jobs),
        timeoutSeconds: settings.timeoutSeconds,
        protectData: true,
      },
      // Two masters of one name would start the same executions; a namespace and a port of nodes are there but once.
      { parent: this, deleteBeforeReplace: true },
    );
    const ids =
      jobs.length > 0
        ? new TerasliceJobs(`${name}-jobs`, { cluster, settings, jobs, master: set }, { parent: this }).ids
        : undefined;
    const endpoint = terasliceEndpoint(settings);
    this.dataParts = [dataPart(cluster.access, { type: "set", namespace, name: setName, inventory: set.inventory })];
    this.endpoint = pulumi.all([set.urn, ids]).apply(([, known]) => ({ ...endpoint, ...(known && { jobs: known }) }));
    this.registerOutputs({ endpoint: this.endpoint });
  }
}

function terasliceEndpoint(settings: TerasliceSettings): TerasliceEndpoint {
  const { namespace, master } = clusterNames(settings);
  const { name, port } = settings.teraslice;
  const podSpecOverride = jobPodOverride(settings);
  return {
    name,
    namespace,
    service: master,
    url: `http://${master}.${namespace}.svc:${port}`,
    forward: `kubectl -n ${namespace} port-forward service/${master} ${port}`,
    ...(podSpecOverride && { podSpecOverride }),
  };
}
