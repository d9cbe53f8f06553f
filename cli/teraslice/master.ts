import { setNameOf } from "../../foundation/pulumi/setName";
import { SINGLE } from "../../components/teraslice/settings";
import type { TerasliceEndpoint } from "../../components/teraslice/cluster/terasliceCluster";
import type { Client } from "../../kubernetes/client/client";
import { Master } from "../../provider/resources/terasliceJob/master/master";
import { exportedState } from "../../engine/stack/exported";
import { Failure } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { clientOf, isSet } from "../../engine/stack/cluster";
import { platformReference } from "../../engine/stack/names";
import type { ResourceState } from "../../engine/pulumi/state/checkpoint";
import { flagOf, whichMaster } from "./which";
import type { TerasliceOptions } from "./options";

const PATIENCE_MS = 5_000;

/** A job from the stack's state. */
export interface DeployedJob {
  readonly key: string;
  readonly jobId: string;
  readonly job: Readonly<Record<string, unknown>>;
  readonly state: string;
}

/** Teraslice of a platform from the stack's state. */
export interface Deployed {
  readonly endpoint: TerasliceEndpoint;
  readonly jobs: readonly DeployedJob[];
  /** URN of the master's objects. */
  readonly objects: string;
  /** Client of its Kubernetes cluster, from the state. */
  readonly client: Client;
}

/** Returns the requested master from the stack's state, or the only one. Throws if none is running. */
export async function deployed(workspace: Workspace, { stack, cluster }: TerasliceOptions): Promise<Deployed> {
  const { resources, outputs } = await exportedState(platformReference(stack), workspace);
  const endpoints = endpointsOf(outputs);
  const start = `Start it: stackyard teraslice up --stack ${stack}${flagOf({ cluster })}`;
  if (Object.keys(endpoints).length === 0) throw new Failure(`no Teraslice runs on the platform ${stack}. ${start}`);
  const endpoint = endpoints[whichMaster(cluster, Object.keys(endpoints), `the platform ${stack}`)];
  const set = resources.find((one) => isSet(one) && setNameOf(one.inputs) === `teraslice-${endpoint?.name}`);
  if (endpoint === undefined || set === undefined) {
    throw new Failure(`no Teraslice runs on the platform ${stack}. ${start}`);
  }
  const isIts = ({ type, inputs = {} }: ResourceState): boolean =>
    type === "stackyard:index:TerasliceJob" &&
    inputs["namespace"] === endpoint.namespace &&
    inputs["service"] === endpoint.service;
  const jobs = resources.filter(isIts).map(jobOf);
  return { endpoint, jobs, objects: set.urn, client: clientOf(set, PATIENCE_MS) };
}

/** Running masters by name; `default` is the one at `stackyard:teraslice`. */
function endpointsOf(outputs: Readonly<Record<string, unknown>>): Readonly<Record<string, TerasliceEndpoint>> {
  const { teraslice, terasliceClusters = {} } = outputs as {
    teraslice?: TerasliceEndpoint;
    terasliceClusters?: Record<string, TerasliceEndpoint>;
  };
  return { ...(teraslice && { [SINGLE]: teraslice }), ...terasliceClusters };
}

function jobOf({ urn, inputs = {}, outputs = {} }: ResourceState): DeployedJob {
  const { job, state } = inputs as { job?: object; state?: string };
  const { jobId } = outputs as { jobId?: string };
  return {
    key: urn.slice(urn.lastIndexOf("/") + 1),
    jobId: jobId ?? "",
    job: (job ?? {}) as DeployedJob["job"],
    state: state ?? "",
  };
}

/** Returns the job of a platform with this name. Throws if there is none. */
export function jobNamed({ jobs }: Deployed, name: string, { stack }: TerasliceOptions): DeployedJob {
  const found = jobs.find(({ key }) => key === name);
  if (found) return found;
  const names = jobs.map(({ key }) => key).join(", ");
  throw new Failure(`the platform ${stack} has no job ${name}; it has ${names === "" ? "none" : names}`);
}

/**
 * Opens the API of a platform's master through the same connection as the program. The time limit covers all requests
 * together.
 */
export function masterOf({ endpoint, client }: Deployed, seconds = 60): Master {
  const { namespace, service, url } = endpoint;
  return new Master(
    client,
    { namespace, name: service, port: Number(new URL(url).port) },
    AbortSignal.timeout(seconds * 1000),
  );
}
