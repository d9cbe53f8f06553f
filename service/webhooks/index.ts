import type { Transaction } from "kysely";
import type { Database } from "../database/database";
import type { OperationRow, Tables } from "../database/tables";
import type { NoticeRow } from "../database/watchTables";
import { addJob } from "../operations/queue";
import { backOff } from "../operations/run/backoff";
import type { Log } from "../workers/log";
import { delivered, OF_NOTICES, OF_OPERATIONS, type Deliveries } from "./deliveries";
import { send } from "./send";

export interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
  /** Number of attempts before a message is given up. Default: 12, which is about a day. */
  readonly attempts?: number;
  readonly firstMs?: number;
}

const ATTEMPTS = 12;
const WAIT = { firstMs: 10_000, mostMs: 3 * 3_600_000 };

/**
 * Sends signed messages about the end of each operation and about each notice to a receiver, with retries until the
 * receiver accepts them.
 */
export class Webhooks {
  constructor(
    private readonly settings: WebhookSettings,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Tasks for the queue. */
  get tasks(): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
    const task = (of: Deliveries) => [
      of.task,
      (payload: unknown) => this.deliver(of, (payload as { readonly id: string }).id),
    ];
    return Object.fromEntries([OF_OPERATIONS, OF_NOTICES].map(task)) as Webhooks["tasks"];
  }

  /** Queues the message in the transaction that ends the operation. */
  onEnd(transaction: Transaction<Tables>, { id }: OperationRow): Promise<void> {
    return this.queue(transaction, OF_OPERATIONS, id);
  }

  /** Queues the message in the transaction that records the notice. */
  onNotice(transaction: Transaction<Tables>, { id }: NoticeRow): Promise<void> {
    return this.queue(transaction, OF_NOTICES, id);
  }

  private async queue(transaction: Transaction<Tables>, of: Deliveries, id: string): Promise<void> {
    await of.add(transaction, id);
    await addJob(transaction, of.task, id);
  }

  private async deliver(of: Deliveries, id: string): Promise<void> {
    const { database, settings, log } = this;
    const message = await of.message(database, id);
    const attempts = await of.begin(database, id);
    if (!message || attempts === undefined) return;
    const failure = await send(settings, message);
    if (failure === undefined) {
      await of.set(database, id, delivered());
      return;
    }
    const isLast = attempts >= (settings.attempts ?? ATTEMPTS);
    log.warn({ [of.field]: id, attempts, err: failure }, "a webhook was not delivered");
    await database.transaction().execute(async (transaction) => {
      await of.set(transaction, id, { error: failure, ...(isLast && { state: "failed" as const }) });
      const wait = backOff(attempts, { ...WAIT, firstMs: settings.firstMs ?? WAIT.firstMs });
      if (!isLast) await addJob(transaction, of.task, id, { at: new Date(Date.now() + wait) });
    });
  }
}
