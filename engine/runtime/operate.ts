import type { AdoptedDatabase } from "../../components/clickhouse/adopted";
import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import type { EngineEvent } from "../pulumi/events";
import { runOperation, type Outcome, type Verb } from "../update/operation";
import type { Holder } from "../pulumi/lock";
import { RUNTIME_PROJECT } from "../stack/names";
import { UNWATCHED, watchBackend } from "../state/watch/stateWatch";
import { withStore } from "../state/store";
import { throughLocks } from "./locked";
import type { Result } from "./result";
import { settlePending } from "./settle";

export interface RuntimeOptions {
  /** The project folder, and the folder of the runtimes' project in it. */
  readonly root: string;
  readonly folder: string;
  /** Platform of a runtime that names none. */
  readonly defaultPlatform: string;
  /** How long to wait for a stack that another process works on. Default: not at all. */
  readonly waitSeconds?: number;
  /** Processes of other hosts that have certainly ended, whose locks may be removed. */
  readonly gone?: readonly Holder[];
  /** Whether an accepted request is written into the stack file. Default: yes. */
  readonly keepsFile?: boolean;
  /** False if the runtime surely needs no Kubernetes provider. Default: true. */
  readonly kubernetes?: boolean;
  /** Look first how everything is, so that what was changed behind our back is fixed. Default: trust the state. */
  readonly refresh?: boolean;
  /** Apply what the stack file says otherwise than the state. Default: the state counts. */
  readonly fromFile?: boolean;
  /** Command at work, for the record in the state. Default: `runtime up`. */
  readonly command?: string;
  /** Only begin to create or change the cluster, and leave what is in it as it is. */
  readonly only?: "cluster";
  /** Operation of the service at work, for the cluster. */
  readonly operation?: string;
  /** Owner id of objects that lost their stack and are to be taken over by a new one. */
  readonly adopt?: string;
  /** What of its database lost its stack. */
  readonly adoptedDatabase?: AdoptedDatabase;
  /** What the environment of the service says of provisioners. */
  readonly serviceDefaults?: ServiceDefaults;
  /** Asks whether the stack file's differences from the state are to be applied; throws if nobody can be asked. */
  readonly onDifferences?: (file: string, differences: readonly string[]) => Promise<boolean>;
  readonly onEvent?: (event: EngineEvent) => void;
  readonly onNote?: (text: string) => void;
}

/** Runs one verb through locks, and notes while it waits for the state database. Before it, see {@link settleFirst}. */
export async function operate(
  verb: Verb,
  id: string,
  options: RuntimeOptions,
  note: (text: string) => void,
  flags: readonly string[] = [],
): Promise<Outcome> {
  // Of many runtimes, the command watches for all of them.
  const state = options.onNote === undefined ? UNWATCHED : await watchBackend(note);
  const run = () =>
    runOperation({
      verb,
      stack: id,
      folder: options.folder,
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
  const { folder, waitSeconds, gone } = options;
  try {
    return await throughLocks(run, { stack: id, folder, waitSeconds, gone, note });
  } finally {
    state.end();
  }
}

/**
 * To be called before the state is read for an update or a destruction: takes into it what an earlier run that was killed
 * has left pending. Returns how that failed, or nothing.
 */
export async function settleFirst(
  verb: Verb,
  id: string,
  { folder, waitSeconds, gone }: RuntimeOptions,
  note: (text: string) => void,
): Promise<Outcome | undefined> {
  if (!(await hasPending(id, folder, verb))) return undefined;
  return settlePending({ stack: id, folder, waitSeconds, gone, note });
}

/** How an operation ended, as commands and `--json` report it. */
export function toResult(id: string, outcome: Outcome, started: number, notes: readonly string[]): Result {
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
 * Whether an earlier run left something pending. Where the state can't be read directly, an update does not ask: it makes
 * the same again, and the engine's warning reports afterwards.
 */
function hasPending(id: string, folder: string, verb: Verb): Promise<boolean> {
  return withStore(folder, async (store) => {
    if (verb === "up" && !store.isDirect) return false;
    return ((await store.find(RUNTIME_PROJECT, id))?.pending ?? 0) > 0;
  });
}
