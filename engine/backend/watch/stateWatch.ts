import type { Workspace } from "../../../foundation/pulumi/backend";
import { seconds } from "../../../foundation/text/numbers";
import { stateAddress, type StateAddress } from "../stateAddress";

/**
 * Watches the state database during an update. The engine waits silently and forever for a database that hangs. While
 * the engine is silent, the database is checked for writes, and changes of its availability are reported.
 */
interface StateWatch {
  /** Call it for each sign of life of the engine. */
  heard(): void;
  /** `succeeded`: the update wrote its state, so the database answers again. */
  end(succeeded: boolean): void;
}

export const UNWATCHED: StateWatch = { heard: () => undefined, end: () => undefined };

/** Checks the state database. Resolves when it has answered; false if the check is inconclusive. */
export type AskState = (aborted: AbortSignal) => Promise<boolean>;

interface WatchLimits {
  /** How long the engine may be silent before the database is checked. */
  readonly quietMs: number;
  /** How long the database may take to answer. */
  readonly answerMs: number;
}

const LIMITS: WatchLimits = { quietMs: 5_000, answerMs: 5_000 };

/** Watches the database of a backend. Other backends are not watched. */
export function watchBackend({ backend }: Pick<Workspace, "backend">, say: (text: string) => void): StateWatch {
  if (backend?.startsWith("postgres://") !== true) return UNWATCHED;
  const address = stateAddress(backend);
  // Loaded with the client on demand: most updates end before it is needed.
  return watchState(say, async (aborted) => (await import("./takesWrites.js")).takesWrites(address, aborted), address);
}

export function watchState(
  say: (text: string) => void,
  ask: AskState,
  { place, table }: Pick<StateAddress, "place" | "table">,
  { quietMs, answerMs }: WatchLimits = LIMITS,
): StateWatch {
  const over = new AbortController();
  let isAsking = false;
  let silentSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const report = (since: number): void => {
    if (silentSince !== undefined) return;
    silentSince = since;
    say(
      `the state database ${place} has not answered since ${new Date(since).toISOString()}: its server hangs, or a transaction ` +
        `of another client locks the table ${table}. The engine waits for it, and continues when it answers. ` +
        "Ctrl-C cancels; the same command continues later",
    );
  };
  const reportAnswer = (): void => {
    if (silentSince === undefined) return;
    say(`the state database ${place} answers again, after ${seconds(Date.now() - silentSince)}`);
    silentSince = undefined;
  };
  const look = async (): Promise<void> => {
    isAsking = true;
    const asked = Date.now();
    const late = setTimeout(() => report(asked), answerMs).unref();
    const answered = await ask(over.signal);
    clearTimeout(late);
    isAsking = false;
    if (over.signal.aborted) return;
    if (answered) reportAnswer();
    wait();
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), quietMs).unref();
  };
  wait();
  return {
    heard: () => {
      if (!isAsking && !over.signal.aborted) wait();
    },
    end: (succeeded) => {
      clearTimeout(timer);
      if (succeeded && !over.signal.aborted) reportAnswer();
      over.abort();
    },
  };
}
