import { pulumi } from "../engine/pulumi";
import { Failure } from "../errors";
import { RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../state/store";

/** Makes an empty stack, in the state backend itself where we know its layout: that saves starting the CLI. */
export async function createStack(id: string, folder: string): Promise<void> {
  const made = await withStore(folder, (store) => store.create(RUNTIME_PROJECT, id));
  if (!made) await initStack(id, folder);
}

async function initStack(id: string, folder: string): Promise<void> {
  try {
    await pulumi(["stack", "init", id, "--no-select"], folder);
  } catch (error) {
    if (!(error instanceof Failure && /already exists/.test(error.message))) throw error;
  }
}

/**
 * Removes a new stack again when nothing was made for it, as after a wrong provisioner name.
 * Whatever was made stays listed, for the next try to go on from or for destroy.
 */
export async function forgetIfEmpty(id: string, folder: string, keepFile: boolean): Promise<void> {
  const state = await withStore(folder, (store) => store.find(RUNTIME_PROJECT, id));
  const made = state?.resources.some(({ type, custom }) => custom === true && type.startsWith("stackyard:"));
  if (!state || made === true || state.pending > 0) return;
  await pulumi(["stack", "rm", id, "--yes", "--force", ...(keepFile ? ["--preserve-config"] : [])], folder);
}
