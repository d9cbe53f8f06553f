import { seconds } from "../../../foundation/text/numbers";

/**
 * The engine waits silently and without end for a state database that hangs. While nothing is heard of it, the
 * database is asked whether it takes writes; that it does not answer, and that it answers again, is reported.
 */
export interface StateWatch {
  /** The engine said something, so it does not wait. */
  heard(): void;
  end(): void;
}

export const UNWATCHED: StateWatch = { heard: () => undefined, end: () => undefined };

/** Asks the state database; resolves when it has answered, with false when that is no reason to continue. */
export type AskState = (aborted: AbortSignal) => Promise<boolean>;

export interface WatchLimits {
  /** How long nothing is heard before the database is asked. */
  readonly quietMs: number;
  /** How long an answer may take. */
  readonly answerMs: number;
}

const LIMITS: WatchLimits = { quietMs: 5_000, answerMs: 5_000 };

/** Watches the database of a backend URL; other backends have none. */
export async function watchBackend(
  say: (text: string) => void,
  url = process.env["PULUMI_BACKEND_URL"],
): Promise<StateWatch> {
  if (url?.startsWith("postgres://") !== true) return UNWATCHED;
  // Loaded when first needed: most updates have ended by then.
  const ask: AskState = async (aborted) => (await import("./takesWrites.js")).takesWrites(url, aborted);
  const { place, table } = (await import("../postgresTable.js")).stateAddress(url);
  return watchState(say, ask, { place, table });
}

export function watchState(
  say: (text: string) => void,
  ask: AskState,
  { place, table }: { readonly place: string; readonly table: string },
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
  const look = async (): Promise<void> => {
    isAsking = true;
    const asked = Date.now();
    const late = setTimeout(() => report(asked), answerMs).unref();
    const answered = await ask(over.signal);
    clearTimeout(late);
    isAsking = false;
    if (over.signal.aborted) return;
    if (answered && silentSince !== undefined) {
      say(`the state database ${place} answers again, after ${seconds(Date.now() - silentSince)}`);
      silentSince = undefined;
    }
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
    end: () => {
      clearTimeout(timer);
      over.abort();
    },
  };
}
