/** Watches which lock a statement waits for in the ledger, reports it within seconds, and gives up after a limit. */

import { Client, type ClientBase } from "pg";
import { messageOf } from "../../foundation/errors";
import { nameOfLedger } from "./trouble";

/** How soon and how often to check. Most work ends long before. */
const LOOK_MS = 2_000;
/** How long to wait for the same lock. Our own transactions take milliseconds. */
const PATIENCE_MS = 30_000;
/** Time limit of a new connection for the check. */
const ANSWER_MS = 5_000;
/** Time for a canceled statement to end. */
const GRACE_MS = 2_000;

/** Data that helps the user to resolve the wait. The server hides queries and states of other users. */
interface Holder {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly since: Date | null;
}

export interface WatchOptions {
  /** Called with the lock holders that a statement waits for. */
  readonly onWait?: (text: string) => void;
  /** How long to wait for the same lock. Default: 30 s. */
  readonly patienceMs?: number;
}

/**
 * Watches a busy connection from another one. A statement that waits too long is canceled in the server, so that it has
 * no effect later. If it does not end, its connection is closed.
 */
export class LockWatch {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private reported = "";
  /** The lock holders that have blocked the statement since that time. */
  private seen: { readonly pids: readonly number[]; readonly since: number } | undefined;
  /** Why the watch ended the work. */
  reason: Error | undefined;

  constructor(
    private readonly client: ClientBase,
    private readonly url: string,
    private readonly options: WatchOptions,
    private readonly cut: () => void,
  ) {
    this.lookLater();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private lookLater(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.look()
        .catch((error: unknown) =>
          this.report(`the ledger (PostgreSQL ${nameOfLedger(this.url)}) does not answer: ${messageOf(error)}`),
        )
        .finally(() => this.lookLater());
    }, LOOK_MS).unref();
  }

  private async look(): Promise<void> {
    const other = new Client({
      connectionString: this.url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      application_name: "stackyard",
    });
    // The next statement reports it too.
    other.on("error", () => undefined);
    try {
      await other.connect();
      await this.ask(other);
    } finally {
      await other.end().catch(() => undefined);
    }
  }

  private report(what: string): void {
    if (!this.stopped && what !== this.reported) this.options.onWait?.(`waiting: ${what}`);
    this.reported = what;
  }

  private async ask(other: Client): Promise<void> {
    const pid = (this.client as ClientBase & { readonly processID: number }).processID;
    const { rows } = await other.query<Holder>(
      `SELECT pid, usename AS "user", application_name AS application, xact_start AS since
         FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY pid`,
      [pid],
    );
    if (this.stopped) return;
    const now = Date.now();
    const pids = rows.map((holder) => holder.pid);
    const still = (this.seen?.pids ?? []).filter((one) => pids.includes(one));
    this.seen = this.seen && still.length > 0 ? { pids: still, since: this.seen.since } : { pids, since: now };
    if (rows.length === 0) return;
    const held = `the ledger (PostgreSQL ${nameOfLedger(this.url)}) is locked by ${rows.map(describe).join(", ")}`;
    this.report(held);
    const patience = this.options.patienceMs ?? PATIENCE_MS;
    if (now - this.seen.since < patience) return;
    this.reason = new Error(
      `${held}, and was not released within ${Math.ceil(patience / 1000)} s; nothing was changed. Try again when that ` +
        `transaction has ended; one that hangs is ended by: SELECT pg_terminate_backend(${this.seen.pids.join(", ")})`,
    );
    this.timer = setTimeout(this.cut, GRACE_MS).unref();
    this.stopped = true;
    await other.query("SELECT pg_cancel_backend($1)", [pid]);
  }
}

const describe = ({ pid, user, application, since }: Holder): string =>
  [
    `process ${pid} of user ${user ?? "unknown"}`,
    ...(application ? [` (${application})`] : []),
    ...(since === null ? [] : [`, in a transaction since ${since.toISOString()}`]),
  ].join("");
