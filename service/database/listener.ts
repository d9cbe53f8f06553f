import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Database } from "./database";
import { listen } from "./listen";
import { eventPage } from "./queries/events";
import { OperationChanges, type ChangesFilter } from "./queries/operationChanges";
import { byId } from "./queries/operations";
import { ENDED, type EventRow, type OperationRow } from "./tables";

/** Notifications can get lost with their connection, so readers poll as well. */
const LOOK_MS = 5000;
const PAGE = 500;
/** An engine reports many events a second. */
const PAUSE_MS = 250;
/** Name of the notification about any operation. */
const ANY = "any operation";

/** Follows operations. All readers of a process share one listening connection. */
export class Listener {
  private readonly notified = new EventEmitter().setMaxListeners(0);
  private readonly ending = new AbortController();
  private listening?: ReturnType<typeof listen>;

  constructor(
    private readonly pool: Pool,
    private readonly database: Database,
  ) {}

  /** Yields past events after the given one, then each new event. Ends with the operation or the signal. */
  async *follow(operation: string, after: string | undefined, signal: AbortSignal): AsyncGenerator<EventRow> {
    const until = this.begin(signal);
    let last = after;
    while (!until.aborted) {
      const looked = new AbortController();
      // Subscribe before reading, so that no event falls in between.
      const next = this.next(operation, AbortSignal.any([until, looked.signal]));
      try {
        const row = await byId(this.database, undefined, operation);
        const isOver = row === undefined || ENDED.has(row.state);
        const { nodes, hasNextPage } = await eventPage(this.database, { operation, first: PAGE, after: last });
        for (const event of nodes) {
          yield event;
          last = event.id;
        }
        if (hasNextPage) continue;
        if (isOver) return;
        await next;
      } finally {
        looked.abort();
      }
    }
  }

  /** Yields the operations that wait or run, then each one that changes. Ends with the signal. */
  async *changes(filter: ChangesFilter, signal: AbortSignal): AsyncGenerator<OperationRow> {
    const until = this.begin(signal);
    const changes = new OperationChanges(this.database, filter);
    while (!until.aborted) {
      const next = this.next(ANY, until);
      yield* await changes.look();
      await next;
      await sleep(PAUSE_MS, undefined, { signal: until }).catch(() => undefined);
    }
  }

  private begin(signal: AbortSignal): AbortSignal {
    this.listening ??= listen(this.pool, "stackyard_event", (payload) => this.notify(payload));
    return AbortSignal.any([signal, this.ending.signal]);
  }

  async end(): Promise<void> {
    this.ending.abort();
    await this.listening?.stop();
  }

  /** Resolves when the operation, or any, has news, or after the poll interval. */
  private async next(operation: string, signal: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(LOOK_MS);
    await once(this.notified, operation, { signal: AbortSignal.any([signal, late]) }).catch(() => undefined);
  }

  private notify(payload: string): void {
    const { operationId } = JSON.parse(payload) as { operationId?: string };
    if (operationId === undefined) return;
    this.notified.emit(operationId);
    this.notified.emit(ANY);
  }
}
