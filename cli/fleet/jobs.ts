import type { RuntimeJob } from "../../engine/workers/rollout";
import type { Request } from "../../engine/runtime/request/request";
import type { RuntimeChange } from "../../engine/stack/change";
import type { Fault } from "../../foundation/schema/faults";
import { chooseRuntimes, isSelection, type ReadRuntimes, type RuntimeSelection } from "./choose";
import { readRequests, refuse } from "./requests";
import type { Summary } from "./summary";
import type { FleetVerb } from "./verbs";

/** Where the runtimes are. */
interface Place {
  readonly list: ReadRuntimes<Summary>;
  /** Faults of requests that are known before one starts. */
  readonly faultsOf: (requests: readonly Request[]) => Promise<readonly Fault[]>;
}

/** What a command line requests for many runtimes. */
interface Asked extends RuntimeSelection {
  readonly verb: FleetVerb;
  /** A file with the runtimes, instead of ids and filters. */
  readonly file?: string;
  /** The change that `up` makes in each runtime. */
  readonly change: RuntimeChange;
  readonly common: Pick<RuntimeJob, "defaultPlatform" | "waitSeconds" | "refresh">;
  readonly place: Place;
}

/** Returns one job per runtime, checked as far as possible before anything starts. */
export async function jobsOf(asked: Asked): Promise<RuntimeJob[]> {
  const { verb, common } = asked;
  const requests =
    verb.name === "up" ? await requestsOf(asked) : (await idsOf(asked)).map((id) => existingOne(id, verb));
  const how = {
    ...common,
    command: `runtime ${verb.name}`,
    ...(verb.name === "destroy" ? { destroy: true } : {}),
    ...(verb.name === "hibernate" || verb.name === "wake" ? { existing: "must-exist" as const } : {}),
  };
  return requests.map((request) => ({ request, ...how }));
}

/** For `up`: the requests of the file, or the same change for every selected runtime. */
async function requestsOf(asked: Asked): Promise<Request[]> {
  const { file, change, place } = asked;
  const requests =
    file === undefined
      ? (isSelection(asked) ? await idsOf(asked) : [...new Set(asked.ids)]).map((id) => ({
          id,
          change,
        }))
      : await readRequests(file);
  if (isSelection(asked)) return requests;
  refuse(file ?? "the command line", await place.faultsOf(requests));
  return requests;
}

async function idsOf(asked: Asked): Promise<string[]> {
  const { verb, file, place } = asked;
  const choice = file === undefined ? asked : { ...asked, ids: (await readRequests(file)).map(({ id }) => id) };
  const read = async (ids?: readonly string[]) => (await place.list(ids)).map((summary) => ({ summary }));
  const chosen = await chooseRuntimes(choice, read);
  const meant = isSelection(asked) ? chosen.filter(({ summary }) => verb.concerns(summary)) : chosen;
  return meant.map(({ summary }) => summary.id);
}

function existingOne(id: string, { name }: FleetVerb): Request {
  if (name === "hibernate") return { id, change: { deployment: { state: "hibernated" } } };
  return { id, change: { deployment: name === "wake" ? { state: "running" } : {} } };
}
