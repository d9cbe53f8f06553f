import { rm } from "node:fs/promises";
import * as path from "node:path";
import { removeEndedLocks } from "../pulumi/endedLocks";
import { allHoldersEnded } from "../pulumi/engineLock";
import { pulumi } from "../pulumi/pulumi";
import { Failure } from "../../foundation/errors";
import type { Workspace, Workspaces } from "../../foundation/pulumi/backend";
import type { EngineRecord } from "../../foundation/process/engines";
import { RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../pulumi/state/store";
import { isEmptyState } from "./request/recorded";

/** Creates an empty stack, directly in the state backend if its layout is known, which saves starting the CLI. */
export async function createStack(id: string, workspace: Workspace): Promise<void> {
  const made = await withStore(workspace, (store) => store.create(RUNTIME_PROJECT, id));
  if (!made) await initStack(id, workspace);
}

async function initStack(id: string, workspace: Workspace): Promise<void> {
  try {
    await pulumi(["stack", "init", id, "--no-select"], workspace);
  } catch (error) {
    if (!(error instanceof Failure && /already exists/.test(error.message))) throw error;
  }
}

export interface Forgetting extends Pick<Workspaces, "runtimes"> {
  /** Engines that have certainly ended elsewhere, whose locks are removed too. */
  readonly gone?: readonly EngineRecord[];
  /** False to delete the stack file too. */
  readonly keepFile: boolean;
}

/**
 * Deletes a stack in which nothing was created, for example after a wrong provisioner name, with the locks that engines
 * left on it when they were killed. Locks go first, so that whoever is interrupted in between does the same again. A
 * stack with resources stays, so that the next `up` continues and `destroy` works, and so does one that another process
 * may be working on. Returns whether neither the stack nor a lock is left.
 */
export async function forgetIfEmpty(id: string, { runtimes, gone, keepFile }: Forgetting): Promise<boolean> {
  return withStore(runtimes, async (store) => {
    const state = await store.find(RUNTIME_PROJECT, id);
    if (state !== undefined && !isEmptyState(state)) return false;
    const locks = await store.locks(RUNTIME_PROJECT, id);
    const place = { project: RUNTIME_PROJECT, stack: id, workspace: runtimes };
    if (locks.length > 0 && !(allHoldersEnded(locks, gone) && (await removeEndedLocks(place, locks)))) return false;
    if (state === undefined) return true;
    const removed = await store.removeIf(RUNTIME_PROJECT, id, isEmptyState);
    if (removed && !keepFile) await rm(path.join(runtimes.folder, `Pulumi.${id}.yaml`), { force: true });
    return removed;
  });
}
