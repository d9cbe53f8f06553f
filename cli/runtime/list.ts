import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../state/checkpoint";
import { withStore } from "../state/store";

function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Name of the provisioner that a runtime is with; a first update that failed half-way has left it in the state too. */
export function provisionerOf({ outputs, resources }: StackState): string | undefined {
  const stash = resources.find(({ type, urn }) => type === "pulumi:index:Stash" && urn.endsWith("::provisioner"));
  return string(outputs.provisioner) ?? string(stash?.outputs?.output);
}

/** All runtimes of the state backend, by id. */
export function readRuntimes(folder: string): Promise<StackState[]> {
  return withStore(folder, (store) => store.list(RUNTIME_PROJECT));
}
