import { presentOf } from "../../../components/runtime/present";
import type { Present } from "../../../components/runtime/record/present";
import type { Place } from "../../../components/runtime/types/registry";
import type { RuntimeRecord } from "../../../components/runtime/record/record";
import type { StackState } from "../../pulumi/state/checkpoint";

/** Returns the runtime in a stack's state, as the stack's program sees it. */
export function presentIn({ resources }: StackState): Present<Place> | undefined {
  const alive = resources.filter((resource) => resource.delete !== true);
  return presentOf(Object.fromEntries(alive.map(({ urn, type, outputs = {} }) => [urn, { type, outputs }])));
}

/**
 * Returns the last request in the state of a runtime stack, completed or only started. Undefined if there is none, if
 * an older version wrote the state, or if the request is a secret (see {@link isSecretRecord}).
 */
export const recordInState = (state: StackState): RuntimeRecord | undefined => presentIn(state)?.latest;

/** Whether the deployment of a stack is protected, also if the state stores its request as a secret. */
export const isProtectedIn = (state: StackState): boolean =>
  state.resources.some(({ protect, type }) => protect === true && type.startsWith("stackyard:"));

/** Whether the state stores the request as a secret, which only the holder of the passphrase or key can read. */
export function isSecretRecord(state: StackState): boolean {
  return recordInState(state) === undefined && state.resources.some(({ outputs }) => outputs?.record !== undefined);
}

/**
 * Whether a stack has nothing of a runtime: no resource was created, and none was being created. The engine also begins
 * the stack itself, providers and components as operations.
 */
export const isEmptyState = ({ resources, pending, begun = [] }: StackState): boolean =>
  pending === begun.length &&
  ![...resources, ...begun].some(({ type, custom }) => custom === true && type.startsWith("stackyard:"));
