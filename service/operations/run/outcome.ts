import { presentIn } from "../../../engine/runtime/request/recorded";
import { configOf } from "../../../engine/runtime/request/requests";
import type { RuntimeConfig } from "../../../engine/stack/change";
import type { StackState } from "../../../engine/state/checkpoint";

/** What a deployment has, according to the state of its stack. */
export interface DeployedState {
  /** The config that was last applied or started; undefined if the state does not contain it. */
  readonly desiredConfig?: RuntimeConfig;
  readonly provisioner: string | null;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Reads what exists; null if nothing is left or nothing was ever created. Pure. */
export function deployedState(state: StackState | undefined, id: string): DeployedState | null {
  if (state === undefined) return null;
  const present = presentIn(state);
  const isEmpty = !state.resources.some(({ custom, type }) => custom === true && type.startsWith("stackyard:"));
  if (present === undefined && isEmpty && state.pending === 0) return null;
  const { latest, provisioner } = present ?? {};
  return {
    ...(latest !== undefined && { desiredConfig: configOf(latest, id) }),
    provisioner: provisioner ?? null,
    outputs: state.outputs,
  };
}
