import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/cluster";
import type { DataPart } from "../../resources/dataGuard";
import { dataPart, partOwner } from "../../resources/guard/dataPart";
import { ManifestSet } from "../../resources/manifestSet";
import { component } from "../../resources/package";
import type { TerasliceJobSettings } from "../job/settings";
import { TerasliceJobs } from "../job/terasliceJobs";
import type { TerasliceSettings } from "../settings";
import { clusterNames, objectsOf } from "../podConfig/names";
import { planTeraslice } from "./plan";
import { jobPodOverride } from "../podConfig/secretConfig";

export interface TerasliceClusterArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** Plain, because all objects are derived from it. */
  readonly settings: TerasliceSettings;
  /** Jobs to register. Plain, because each is a resource. Default: none. */
  readonly jobs?: readonly TerasliceJobSettings[];
}

/** How to reach a Teraslice cluster, and what its jobs need. */
export interface TerasliceEndpoint {
  /** Name of the Teraslice cluster. */
  readonly name: string;
  readonly namespace: string;
  /** Name of the master's Service. */
  readonly service: string;
  /** URL of the master's API, from pods of the Kubernetes cluster. */
  readonly url: string;
  /** Command that forwards a local port to the API. */
  readonly forward: string;
  /** The `pod_spec_override` that jobs must have. Not set if they need none. */
  readonly podSpecOverride?: Record<string, unknown>;
  /** Ids of the platform's jobs, by their name in the config. Not set if there are none. */
  readonly jobs?: Readonly<Record<string, string>>;
}

/**
 * A Teraslice master on Kubernetes with its permissions. Its objects are one ManifestSet, which waits until the master
 * is ready.
 */
export class TerasliceCluster extends pulumi.ComponentResource {
  /** Resolves when the master is ready. */
  public readonly endpoint: pulumi.Output<TerasliceEndpoint>;
  /** The parts that hold data. */
  public readonly dataParts: readonly DataPart[];

  constructor(name: string, args: TerasliceClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(component("TerasliceCluster"), name, {}, opts);
    const { cluster, settings, jobs = [] } = args;
    const { namespace } = clusterNames(settings);
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
      // Two masters of one name would start the same executions. Namespaces and node ports must be unique.
      { parent: this, deleteBeforeReplace: true },
    );
    const ids =
      jobs.length > 0
        ? new TerasliceJobs(`${name}-jobs`, { cluster, settings, jobs, master: set }, { parent: this }).ids
        : undefined;
    const endpoint = terasliceEndpoint(settings);
    const { inventory } = set;
    const owner = partOwner(set);
    this.dataParts = [dataPart(cluster.access, { type: "set", namespace, name: setName, inventory, owner })];
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
