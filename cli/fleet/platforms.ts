import { isObject } from "../../foundation/json/isObject";
import type { StateStore } from "../../engine/state/stateStore";

/** Data about a platform stack in the state that is not secret. */
interface PlatformFacts {
  /** Revisions of the provisioners by name, if the platform exports them. */
  readonly revisions: Readonly<Record<string, string>> | undefined;
  /** Revisions of the ClickHouse provisioners by name. */
  readonly clickhouseRevisions?: Readonly<Record<string, string>>;
}

/** By `organization/project/stack`; undefined for a stack that does not exist. */
export type Platforms = ReadonlyMap<string, PlatformFacts | undefined>;

/** Reads each platform once, in one connection to the state. */
export async function readPlatforms(store: StateStore, references: Iterable<string>): Promise<Platforms> {
  const found = new Map<string, PlatformFacts | undefined>();
  for (const reference of new Set(references)) {
    const [organization, project = "", stack = ""] = reference.split("/");
    const state = await store.find(project, stack, organization);
    found.set(reference, state && platformFacts(state.outputs));
  }
  return found;
}

/** Extracts the facts from the outputs of a platform. */
export function platformFacts({
  provisionerRevisions,
  clickhouseRevisions,
}: Readonly<Record<string, unknown>>): PlatformFacts {
  const databases = revisionsOf(clickhouseRevisions);
  return { revisions: revisionsOf(provisionerRevisions), ...(databases && { clickhouseRevisions: databases }) };
}

function revisionsOf(output: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(output)) return undefined;
  const named = Object.entries(output).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(named);
}
