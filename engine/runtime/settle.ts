import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { distinctMessages } from "../pulumi/diagnostics";
import type { OperationOutcome } from "../update/operation";
import { pulumi, PulumiProcess } from "../pulumi/pulumi";
import { lockedMessage } from "../pulumi/engineLock";
import { RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../pulumi/state/store";
import { retryWhileLocked, type LockOptions } from "./locked";
import { withoutPending, type ExportedState } from "../pulumi/state/pending";

/**
 * Records in the state what a killed update was creating, so that the next operation finds it. Secrets stay encrypted.
 * Returns the outcome if this failed.
 */
export async function settlePending(options: LockOptions): Promise<OperationOutcome | undefined> {
  let settled = false;
  const run = async (): Promise<OperationOutcome> => {
    // Check the locks before reading the state: importing a state that is older than a concurrent update would undo
    // that update.
    const locks = await withStore(options.workspace, (store) => store.locks(RUNTIME_PROJECT, options.stack));
    if (locks.length > 0) return { ...NOTHING, ok: false, stderr: lockedMessage(locks) };
    const outcome = await importWithoutPending(options);
    settled = outcome !== undefined;
    return outcome ?? NOTHING;
  };
  const outcome = await retryWhileLocked(run, options);
  if (!outcome.ok) return outcome;
  if (settled)
    options.note("an earlier update was interrupted; the resources that it was creating are added to the state");
  return undefined;
}

const NOTHING: OperationOutcome = { ok: true, outputs: {}, changes: {}, errors: [], warnings: [], stderr: "" };

/** Undefined if no operation is pending any more. */
async function importWithoutPending({ stack, workspace }: LockOptions): Promise<OperationOutcome | undefined> {
  const exported = JSON.parse(await pulumi(["stack", "export", "--stack", stack], workspace)) as {
    readonly deployment: ExportedState;
  };
  if ((exported.deployment.pending_operations ?? []).length === 0) return undefined;
  const temporary = await mkdtemp(path.join(tmpdir(), "stackyard-"));
  try {
    const file = path.join(temporary, "state.json");
    const text = JSON.stringify({ ...exported, deployment: withoutPending(exported.deployment) });
    await writeFile(file, text, { mode: 0o600 });
    return await ended(new PulumiProcess(["stack", "import", "--stack", stack, "--file", file], workspace));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function ended(process: PulumiProcess): Promise<OperationOutcome> {
  const { code, stderr, signal } = await process.finished;
  const errors = distinctMessages([stderr]);
  return { ok: code === 0, outputs: {}, changes: {}, errors, ...(signal && { kind: "ended" }), warnings: [], stderr };
}
