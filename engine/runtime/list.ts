import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../state/checkpoint";
import { withStore } from "../state/store";
import { presentIn } from "./request/recorded";

/** Name of the provisioner that a runtime is with; a first update that failed half-way has left it in the state too. */
export function provisionerOf(state: StackState): string | undefined {
  const { provisioner } = state.outputs;
  return presentIn(state)?.provisioner ?? (typeof provisioner === "string" ? provisioner : undefined);
}

/** All runtimes of the state backend, by id. */
export function readRuntimes(folder: string): Promise<StackState[]> {
  return withStore(folder, (store) => store.list(RUNTIME_PROJECT));
}
