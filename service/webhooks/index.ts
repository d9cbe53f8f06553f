import { sql, type Transaction } from "kysely";
import { messageOf as reasonOf } from "../../foundation/errors";
import type { Database } from "../database/database";
import type { OperationRow, Tables } from "../database/tables";
import { addJob } from "../operations/queue";
import { backOff } from "../operations/run/backoff";
import type { Log } from "../workers/log";
import { messageOf } from "./message";
import { sign, SIGNATURE_HEADER } from "./sign";

export interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
  /** After so many tries a message is given up. Default: 12, which is about a day. */
  readonly attempts?: number;
  readonly firstMs?: number;
}

const TASK = "webhook";
const ATTEMPTS = 12;
const WAIT = { firstMs: 10_000, mostMs: 3 * 3_600_000 };
const PATIENCE_MS = 10_000;

/** Reports a receiver of the end of each operation: signed, and again and again until it says that it has it. */
export class Webhooks {
  constructor(
    private readonly settings: WebhookSettings,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** The queue's task. */
  get tasks(): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
    return { [TASK]: (payload) => this.deliver((payload as { readonly id: string }).id) };
  }

  /** Queues the message, in the transaction that ends the operation. */
  async onEnd(transaction: Transaction<Tables>, { id }: OperationRow): Promise<void> {
    await transaction.insertInto("webhookDelivery").values({ operationId: id }).execute();
    await addJob(transaction, TASK, id);
  }

  private async deliver(id: string): Promise<void> {
    const { database, settings, log } = this;
    const row = await database
      .selectFrom("operation")
      .innerJoin("deployment", "deployment.id", "operation.deploymentId")
      .selectAll("operation")
      .select("deployment.name")
      .where("operation.id", "=", id)
      .executeTakeFirst();
    const delivery = await database
      .updateTable("webhookDelivery")
      .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
      .where("operationId", "=", id)
      .where("state", "=", "pending")
      .returning("attempts")
      .executeTakeFirst();
    if (!row || !delivery) return;
    const failure = await this.send(row);
    const mine = database.updateTable("webhookDelivery").where("operationId", "=", id);
    if (failure === undefined) {
      await mine.set({ state: "delivered", deliveredAt: sql<Date>`now()`, error: null }).execute();
      return;
    }
    const isLast = delivery.attempts >= (settings.attempts ?? ATTEMPTS);
    log.warn({ operation: id, attempts: delivery.attempts, err: failure }, "a webhook was not delivered");
    await database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable("webhookDelivery")
        .set({ error: failure, ...(isLast && { state: "failed" as const }) })
        .where("operationId", "=", id)
        .execute();
      const wait = backOff(delivery.attempts, { ...WAIT, firstMs: settings.firstMs ?? WAIT.firstMs });
      if (!isLast) await addJob(transaction, TASK, id, { at: new Date(Date.now() + wait) });
    });
  }

  /** Undefined when the receiver has it, else why not. A redirection is no receiver. */
  private async send(row: OperationRow & { readonly name: string }): Promise<string | undefined> {
    const body = JSON.stringify(messageOf(row, row.name));
    const signature = sign(this.settings.secret, body, Math.floor(Date.now() / 1000));
    try {
      const response = await fetch(this.settings.url, {
        method: "POST",
        headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature, "stackyard-operation": row.id },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `the receiver answered ${response.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? `: ${reasonOf(error.cause)}` : "";
      return `${reasonOf(error)}${cause}`;
    }
  }
}
