import { rm } from "node:fs/promises";
import * as path from "node:path";
import { pulumi } from "../pulumi/pulumi";
import { Failure } from "../../foundation/errors";
import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../state/checkpoint";
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
 * Whatever was made stays listed, for the next try to continue from or for destroy. A stack that a process works on is theirs:
 * it is looked at under a lock, since somebody may have made something in it a moment ago.
 */
export async function forgetIfEmpty(id: string, folder: string, keepFile: boolean): Promise<void> {
  const removed = await withStore(folder, (store) => store.removeIf(RUNTIME_PROJECT, id, hasNothing));
  if (removed && !keepFile) await rm(path.join(folder, `Pulumi.${id}.yaml`), { force: true });
}

const hasNothing = ({ resources, pending }: StackState): boolean =>
  pending === 0 && !resources.some(({ type, custom }) => custom === true && type.startsWith("stackyard:"));
