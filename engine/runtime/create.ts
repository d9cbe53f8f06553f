import { rm } from "node:fs/promises";
import * as path from "node:path";
import { pulumi } from "../pulumi/pulumi";
import { Failure } from "../../foundation/errors";
import { RUNTIME_PROJECT } from "../stack/names";
import type { StackState } from "../state/checkpoint";
import { withStore } from "../state/store";

/** Creates an empty stack, directly in the state backend if its layout is known, which saves starting the CLI. */
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
 * Deletes a new stack for which nothing was created, for example after a wrong provisioner name. A stack with resources
 * stays, so that the next `up` continues and `destroy` works. The check runs under a lock, because another process may
 * be working on the stack.
 */
export async function forgetIfEmpty(id: string, folder: string, keepFile: boolean): Promise<void> {
  const removed = await withStore(folder, (store) => store.removeIf(RUNTIME_PROJECT, id, hasNothing));
  if (removed && !keepFile) await rm(path.join(folder, `Pulumi.${id}.yaml`), { force: true });
}

const hasNothing = ({ resources, pending }: StackState): boolean =>
  pending === 0 && !resources.some(({ type, custom }) => custom === true && type.startsWith("stackyard:"));
