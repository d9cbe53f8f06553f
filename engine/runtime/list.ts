import type { Workspace } from "../../foundation/pulumi/backend";
import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../pulumi/state/checkpoint";
import { withStore } from "../pulumi/state/store";
import { presentIn } from "./request/recorded";

/** Returns the provisioner of a runtime; a failed first update also records it in the state. */
export function provisionerOf(state: StackState): string | undefined {
  const { provisioner } = state.outputs;
  return presentIn(state)?.provisioner ?? (typeof provisioner === "string" ? provisioner : undefined);
}

/** Reads all runtimes of the state backend, by id. */
export function readRuntimes(workspace: Workspace): Promise<StackState[]> {
  return withStore(workspace, (store) => store.list(RUNTIME_PROJECT));
}
