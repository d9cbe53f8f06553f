import type { Transaction } from "kysely";
import type { Database } from "../database/database";
import type { OperationRow, Tables } from "../database/tables";
import type { NoticeRow } from "../database/watchTables";
import { addJob } from "../operations/queue";
import { backOff } from "../../foundation/backOff";
import type { Log } from "../log";
import { delivered, OF_NOTICES, OF_OPERATIONS, type Deliveries } from "./deliveries";
import { send } from "./send";

export interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
  /** Number of attempts before a message is given up. Default: 15, which is about half a day. */
  readonly attempts?: number;
  readonly firstMs?: number;
}

export const ATTEMPTS = 15;
export const WAIT = { firstMs: 10_000, mostMs: 3 * 3_600_000 };

const KINDS = [OF_OPERATIONS, OF_NOTICES];
const LOST_TASK = "webhook_lost";

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

  /** Tasks for the queue of deliveries, which wait for the receiver. */
  get deliveries(): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
    const task = (of: Deliveries) => [
      of.task,
      (payload: unknown) => this.deliver(of, (payload as { readonly id: string }).id),
    ];
    return Object.fromEntries(KINDS.map(task)) as Webhooks["deliveries"];
  }

  /** Task that checks each minute for messages whose process was killed while it sent them. */
  readonly tasks = { [LOST_TASK]: () => this.recover() };
  readonly crontab = `* * * * * ${LOST_TASK}`;

  /** Queues the message in the transaction that ends the operation. */
  onEnd(transaction: Transaction<Tables>, { id }: OperationRow): Promise<void> {
    return this.queue(transaction, OF_OPERATIONS, id);
  }

  /** Queues the message in the transaction that records the notice. */
  onNotice(transaction: Transaction<Tables>, { id }: NoticeRow): Promise<void> {
    return this.queue(transaction, OF_NOTICES, id);
  }

  private async recover(): Promise<void> {
    // The queue releases jobs of killed processes only after hours.
    for (const of of KINDS) {
      for (const id of await of.lost(this.database)) await addJob(this.database, of.task, id);
    }
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
    const end = isLast ? " and is given up" : "";
    log.warn({ [of.field]: id, attempts, err: failure }, `a webhook was not delivered${end}`);
    await database.transaction().execute(async (transaction) => {
      await of.set(transaction, id, { error: failure, ...(isLast && { state: "failed" as const }) });
      const wait = backOff(attempts, { ...WAIT, firstMs: settings.firstMs ?? WAIT.firstMs });
      if (!isLast) await addJob(transaction, of.task, id, { at: new Date(Date.now() + wait) });
    });
  }
}
