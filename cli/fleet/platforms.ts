import type { CurrentRevisions } from "../../engine/runtime/outdated";
import type { StateStore } from "../../engine/pulumi/state/stateStore";
import { Failure } from "../../foundation/errors";
import { isObject } from "../../foundation/json/isObject";

/** By `organization/project/stack`; undefined for a stack that does not exist. */
export type Platforms = ReadonlyMap<string, CurrentRevisions | undefined>;

/** Reads each platform once, in one connection to the state. `report`: goes on without a state that can't be read. */
export async function readPlatforms(
  store: StateStore,
  references: Iterable<string>,
  report?: (fault: string) => void,
): Promise<Platforms> {
  const found = new Map<string, CurrentRevisions | undefined>();
  for (const reference of new Set(references)) {
    const [organization, project = "", stack = ""] = reference.split("/");
    try {
      const state = await store.find(project, stack, organization);
      found.set(reference, state && currentRevisions(state.outputs));
    } catch (error) {
      if (report === undefined || !(error instanceof Failure)) throw error;
      report(`the state of platform ${reference} can't be read: ${error.message}`);
    }
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
