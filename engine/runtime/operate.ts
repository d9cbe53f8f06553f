import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { Workspace, Workspaces } from "../../foundation/pulumi/backend";
import type { EngineRecord } from "../../foundation/process/engines";
import type { AdoptedDatabase } from "../../components/runtime/clickhouse/adopted";
import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import { distinctMessages } from "../pulumi/diagnostics";
import { lockedMessage } from "../pulumi/engineLock";
import type { EngineEvent } from "../pulumi/events";
import { pulumi, PulumiProcess } from "../pulumi/pulumi";
import { withoutPending, type ExportedState } from "../pulumi/state/pending";
import { runOperation, type OperationOutcome, type Verb } from "../update/operation";
import { RUNTIME_PROJECT } from "../stack/names";
import { UNWATCHED, watchBackend } from "../backend/watch/stateWatch";
import { withStore } from "../pulumi/state/store";
import { retryWhileLocked, type LockOptions } from "./locked";
import type { Result } from "./result";

/**
 * Records in the state what a killed update was creating, so that the next operation finds it. Secrets stay encrypted.
 * Returns the outcome if this failed.
 */
async function settlePending(options: LockOptions): Promise<OperationOutcome | undefined> {
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

export interface RuntimeOptions extends Workspaces {
  /** Default platform of runtimes. */
  readonly defaultPlatform: string;
  /** How long to wait for a stack that another process works on. Default: 0. */
  readonly waitSeconds?: number;
  /** Engines that have certainly ended elsewhere, whose locks may be removed. */
  readonly gone?: readonly EngineRecord[];
  /** Write an accepted request to the stack file. Default: true. */
  readonly keepsFile?: boolean;
  /** False if the runtime certainly needs no Kubernetes provider. Default: true. */
  readonly kubernetes?: boolean;
  /** Read the actual resources first, so that drift is fixed. Default: trust the state. */
  readonly refresh?: boolean;
  /** Apply the stack file's differences from the state. Default: the state wins. */
  readonly fromFile?: boolean;
  /** The current command, recorded in the state. Default: `runtime up`. */
  readonly command?: string;
  /** Only start the creation or change of the cluster, and leave its content as it is. */
  readonly only?: "cluster";
  /** Operation of the service; annotated on the cluster. */
  readonly operation?: string;
  /** Owner id of objects without a stack that this stack adopts. */
  readonly adopt?: string;
  /** Kept disk that a new runtime uses. Default: a new disk. */
  readonly disk?: string;
  /** The existing parts of the deployment's database that this stack adopts. */
  readonly adoptedDatabase?: AdoptedDatabase;
  /** Defaults for provisioners from the service's environment. */
  readonly serviceDefaults?: ServiceDefaults;
  /** Asks whether to apply the stack file's differences from the state. Throws if there is no user to ask. */
  readonly onDifferences?: (file: string, differences: readonly string[]) => Promise<boolean>;
  readonly onEvent?: (event: EngineEvent) => void;
  readonly onNote?: (text: string) => void;
}

/** Collects notes for the result of an operation, and reports each one at once. */
export function collectNotes({ onNote }: RuntimeOptions) {
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    onNote?.(text);
  };
  return { notes, note };
}

/**
 * Runs one operation, handles locks, and reports while it waits for the state database. Call {@link resolvePending} before
 * it.
 */
export async function operate(
  verb: Verb,
  id: string,
  options: RuntimeOptions,
  note: (text: string) => void,
  flags: readonly string[] = [],
): Promise<OperationOutcome> {
  // A command on many runtimes watches the backend once for all of them.
  const state = options.onNote === undefined ? UNWATCHED : watchBackend(options.runtimes, note);
  const run = () =>
    runOperation({
      verb,
      stack: id,
      workspace: options.runtimes,
      program: async () => {
        const { runtimeProgram } = await import("../../runtime/program.js");
        const { adoptedDatabase, serviceDefaults } = options;
        return () => runtimeProgram({ adoptedDatabase, serviceDefaults });
      },
      kubernetes: options.kubernetes ?? true,
      flags: options.refresh ? ["--refresh", ...flags] : flags,
      onEvent: (event) => {
        state.heard();
        options.onEvent?.(event);
      },
    });
  const { runtimes: workspace, waitSeconds, gone } = options;
  let succeeded = false;
  try {
    const outcome = await retryWhileLocked(run, { stack: id, workspace, waitSeconds, gone, note });
    succeeded = outcome.ok;
    return outcome;
  } finally {
    state.end(succeeded);
  }
}

/**
 * Records in the state what a killed update left pending. Call it before reading the state for an update or a deletion.
 * Returns the outcome if this failed.
 */
export async function resolvePending(
  verb: Verb,
  id: string,
  { runtimes: workspace, waitSeconds, gone }: RuntimeOptions,
  note: (text: string) => void,
): Promise<OperationOutcome | undefined> {
  if (!(await hasPending(id, workspace, verb))) return undefined;
  return settlePending({ stack: id, workspace, waitSeconds, gone, note });
}

/** Converts the outcome of an operation to the result that commands and `--json` print. */
export function toResult(id: string, outcome: OperationOutcome, started: number, notes: readonly string[]): Result {
  const { ok, changes, outputs, errors, kind } = outcome;
  return {
    id,
    ok,
    milliseconds: Math.round(performance.now() - started),
    changes,
    outputs,
    errors,
    notes,
    ...(kind && { kind }),
  };
}

/**
 * Whether an earlier run left operations pending. If the state can't be read directly, an update skips this check: it
 * creates the same resources again, and the engine's warning reports it.
 */
function hasPending(id: string, workspace: Workspace, verb: Verb): Promise<boolean> {
  return withStore(workspace, async (store) => {
    if (verb === "up" && !store.isDirect) return false;
    return ((await store.find(RUNTIME_PROJECT, id))?.pending ?? 0) > 0;
  });
}
