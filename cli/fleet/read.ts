import type { Workspace } from "../../foundation/pulumi/backend";
import { provisionerOf } from "../../engine/runtime/list";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import type { StackState } from "../../engine/pulumi/state/checkpoint";
import { withStore } from "../../engine/pulumi/state/store";
import { type StateStore } from "../../engine/pulumi/state/stateStore";
import { readPlatforms } from "./platforms";
import { recordInState } from "../../engine/runtime/request/recorded";
import { summarise, type FoundRuntime, type Summary } from "./summary";

/** A runtime's state and its summary. */
export interface Runtime {
  readonly stack: StackState;
  readonly summary: Summary;
}

/**
 * Reads all runtimes of the state backend, or those with these ids. Reads no secrets and takes no lock. A platform that
 * can't be read is reported.
 */
export function readFleet(
  workspace: Workspace,
  ids?: readonly string[],
  report?: (fault: string) => void,
): Promise<Runtime[]> {
  return withStore(workspace, async (store) => {
    const found = ids === undefined ? await store.list(RUNTIME_PROJECT) : await findAll(store, ids);
    const known = found.map((state): FoundRuntime => {
      return { state, record: recordInState(state), provisioner: provisionerOf(state) };
    });
    const platforms = await readPlatforms(
      store,
      known.flatMap(({ record }) => record?.platform ?? []),
      report,
    );
    return known.map((one) => ({ stack: one.state, summary: summarise(one, platforms) }));
  });
}

async function findAll(store: StateStore, ids: readonly string[]): Promise<StackState[]> {
  const found = await Promise.all(ids.map((id) => store.find(RUNTIME_PROJECT, id)));
  return found.filter((state) => state !== undefined);
}
