import type { Job } from "../../engine/workers/pool";
import { checkRequests } from "./checkRequests";
import type { Request } from "../../engine/runtime/request/request";
import { readRequests, refuse } from "../runtime/requests";
import { chooseRuntimes, isSelection, type Choice } from "./choose";
import { readSurroundings } from "./surroundings";
import type { RuntimeChange } from "../../engine/stack/change";
import type { FleetVerb } from "./verbs";

/** What a command line asks of many runtimes. */
export interface Asked extends Choice {
  readonly verb: FleetVerb;
  /** A file that names them, in place of ids and filters. */
  readonly file?: string;
  /** What `up` changes in each of them. */
  readonly change: RuntimeChange;
  readonly common: Pick<Job, "defaultPlatform" | "waitSeconds" | "refresh">;
  readonly folder: string;
}

/** One job for each runtime, checked as far as that is possible before anything starts. */
export async function jobsOf(asked: Asked): Promise<Job[]> {
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

/** For `up`: what the file asks for, or the same change for every one that is named or chosen. */
async function requestsOf(asked: Asked): Promise<Request[]> {
  const { file, change, folder, common } = asked;
  const requests =
    file === undefined
      ? (isSelection(asked) ? await idsOf(asked) : [...new Set(asked.ids)]).map((id) => ({
          id,
          change,
        }))
      : await readRequests(file);
  if (isSelection(asked)) return requests;
  refuse(
    file ?? "the command line",
    checkRequests(requests, await readSurroundings(requests, folder, common.defaultPlatform)),
  );
  return requests;
}

async function idsOf(asked: Asked): Promise<string[]> {
  const { verb, file, folder } = asked;
  const choice = file === undefined ? asked : { ...asked, ids: (await readRequests(file)).map(({ id }) => id) };
  const chosen = await chooseRuntimes(choice, folder);
  const meant = isSelection(asked) ? chosen.filter(({ summary }) => verb.concerns(summary)) : chosen;
  return meant.map(({ summary }) => summary.id);
}

function existingOne(id: string, { name }: FleetVerb): Request {
  if (name === "hibernate") return { id, change: { deployment: { state: "hibernated" } } };
  return { id, change: { deployment: name === "wake" ? { state: "running" } : {} } };
}
