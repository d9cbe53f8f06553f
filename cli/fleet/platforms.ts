import type { CurrentRevisions } from "../../engine/runtime/outdated";
import type { StateStore } from "../../engine/pulumi/state/stateStore";
import { isObject } from "../../foundation/json/isObject";

/** By `organization/project/stack`; undefined for a stack that does not exist. */
export type Platforms = ReadonlyMap<string, CurrentRevisions | undefined>;

/** Reads each platform once, in one connection to the state. */
export async function readPlatforms(store: StateStore, references: Iterable<string>): Promise<Platforms> {
  const found = new Map<string, CurrentRevisions | undefined>();
  for (const reference of new Set(references)) {
    const [organization, project = "", stack = ""] = reference.split("/");
    const state = await store.find(project, stack, organization);
    found.set(reference, state && currentRevisions(state.outputs));
  }
  return found;
}

/** Extracts the revisions from the outputs of a platform; older platforms have none. */
export function currentRevisions({
  provisionerRevisions,
  clickhouseRevisions,
}: Readonly<Record<string, unknown>>): CurrentRevisions {
  const [runtime, database] = [revisionsOf(provisionerRevisions), revisionsOf(clickhouseRevisions)];
  return { ...(runtime && { provisionerRevisions: runtime }), ...(database && { clickhouseRevisions: database }) };
}

function revisionsOf(output: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(output)) return undefined;
  const named = Object.entries(output).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(named);
}
