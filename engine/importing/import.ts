import { Failure } from "../../foundation/errors";
import { KnownOwners } from "../orphans/known";
import type { RuntimeOptions } from "../runtime/operate";
import type { Result } from "../runtime/result";
import { isEmptyState } from "../runtime/request/recorded";
import { updateRuntime } from "../runtime/up";
import type { StackState } from "../pulumi/state/checkpoint";
import type { FoundShoot } from "./shoot";

/** Throws if the deployment already has a runtime, or another stack has the Shoot. `states`: of all runtimes. */
export function mustBeNew(
  id: string,
  place: { readonly namespace: string; readonly name: string; readonly uid: string },
  states: readonly StackState[],
): void {
  const state = states.find(({ name }) => name === id);
  if (state !== undefined && !isEmptyState(state))
    throw new Failure(`${id} has a runtime already; import under another id`);
  if (!new KnownOwners(states).hasShoot({ ...place, owner: undefined })) return;
  throw new Failure(
    `Shoot ${place.namespace}/${place.name} is in the state of another runtime; destroy or move that one`,
  );
}

/**
 * Creates a stack for an existing Shoot that the stack did not create. The Shoot's UID replaces the owner id, so
 * nothing is written to the Shoot. Later updates change only what is requested.
 */
export const importShoot = (
  id: string,
  { change, uid }: FoundShoot,
  platform: string,
  options: RuntimeOptions,
): Promise<Result> =>
  updateRuntime(id, { deployment: change, platform }, { ...options, command: "runtime import", adopt: uid });
