import { parseLocks } from "../engine/lock";
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
 * Whatever was made stays listed, for the next try to go on from or for destroy. A stack that somebody works on is theirs.
 */
export async function forgetIfEmpty(id: string, folder: string, keepFile: boolean): Promise<void> {
  const [state, locks] = await withStore(folder, async (store) => [
    await store.find(RUNTIME_PROJECT, id),
    await store.locks(RUNTIME_PROJECT, id),
  ]);
  const made = state?.resources.some(({ type, custom }) => custom === true && type.startsWith("stackyard:"));
  if (!state || made === true || state.pending > 0 || locks.length > 0) return;
  try {
    await pulumi(["stack", "rm", id, "--yes", "--force", ...(keepFile ? ["--preserve-config"] : [])], folder);
  } catch (error) {
    const isTheirs = error instanceof Failure && (parseLocks(error.message) ?? /no stack named/.test(error.message));
    if (isTheirs === false) throw error;
  }
}
