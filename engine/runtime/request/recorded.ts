import { presentOf } from "../../../components/runtime/present";
import type { Present } from "../../../components/runtime/request/present";
import type { Place } from "../../../components/runtime/types/registry";
import type { RuntimeRecord } from "../../../components/runtime/request/record";
import type { StackState } from "../../state/checkpoint";

/** The runtime that a stack's state has, as the program of the stack sees it. */
export function presentIn({ resources }: StackState): Present<Place> | undefined {
  const alive = resources.filter((resource) => resource.delete !== true);
  return presentOf(Object.fromEntries(alive.map(({ urn, type, outputs = {} }) => [urn, { type, outputs }])));
}

/**
 * What the state of a runtime stack says was asked for last, be it done or only begun. Undefined if nothing was ever
 * begun, where an older version made the runtime, and where the request is a secret (see {@link isSecretRecord}).
 */
export const recordOf = (state: StackState): RuntimeRecord | undefined => presentIn(state)?.latest;

/** Whether the state keeps a request that only the owner of the passphrase or key can read. */
export function isSecretRecord(state: StackState): boolean {
  return recordOf(state) === undefined && state.resources.some(({ outputs }) => outputs?.record !== undefined);
}
