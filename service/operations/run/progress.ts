import { sql } from "kysely";
import type { Database } from "../../database/database";
import type { OperationResult, StoredError } from "../../database/tables";
import { recordEvents } from "../events";
import { enqueue } from "../queue";
import { held } from "./lease";
import type { Stage } from "./stage";

/** Writes how far an operation is, as long as it is its owner's: each step throws where it is not any more. */
export class Progress {
  constructor(
    private readonly database: Database,
    private readonly id: string,
    private readonly owner: string,
  ) {}

  /** Begins a stage, or begins it again. Answers how long it may still take, and what it failed with before. */
  enter(
    number: number,
    { name, limitMs }: Pick<Stage, "name" | "limitMs">,
    stageMs: number,
  ): Promise<{ ms: number; error: StoredError | null }> {
    const { database, id, owner } = this;
    return database.transaction().execute(async (transaction) => {
      const operation = await held(transaction, id, owner);
      const before = await transaction
        .updateTable("stage")
        .set((eb) => ({
          state: "in_progress",
          startedAt: sql<Date>`coalesce(started_at, now())`,
          attempts: eb("attempts", "+", 1),
        }))
        .where("operationId", "=", id)
        .where("number", "=", number)
        .returning(["startedAt", "attempts", "error", sql<Date>`now()`.as("now")])
        .executeTakeFirstOrThrow();
      const message = before.attempts === 1 ? `stage ${name}` : `stage ${name}, try ${before.attempts}`;
      await transaction.updateTable("operation").set({ stage: name, message }).where("id", "=", id).execute();
      if (before.attempts === 1) {
        await recordEvents(transaction, id, [{ kind: "stage", text: message, data: { stage: name, number } }]);
      }
      const now = before.now.getTime();
      const ofStage = (before.startedAt?.getTime() ?? now) + (limitMs ?? stageMs);
      const deadline = Math.min(ofStage, operation.deadlineAt?.getTime() ?? ofStage);
      return { ms: deadline - now, error: before.error };
    });
  }

  /** Ends a stage that did what it is for. */
  async leave(number: number, result: OperationResult | undefined): Promise<void> {
    const { database, id, owner } = this;
    await database.transaction().execute(async (transaction) => {
      await held(transaction, id, owner);
      await transaction
        .updateTable("stage")
        .set({ state: "succeeded", endedAt: sql<Date>`now()`, error: null })
        .where("operationId", "=", id)
        .where("number", "=", number)
        .execute();
      if (result) await transaction.updateTable("operation").set({ result }).where("id", "=", id).execute();
    });
  }

  /** Puts an operation back into the queue. From then on any process may go on with it. */
  async later(
    number: number | undefined,
    afterMs: number,
    { message, error }: { readonly message: string; readonly error?: StoredError },
  ): Promise<void> {
    const { database, id, owner } = this;
    await database.transaction().execute(async (transaction) => {
      const before = await held(transaction, id, owner);
      const at = new Date(Date.now() + afterMs);
      await transaction
        .updateTable("operation")
        .set({
          leaseUntil: sql<Date>`now() + ${afterMs / 1000} * interval '1 second'`,
          message,
          ...(error && { error }),
        })
        .where("id", "=", id)
        .execute();
      if (number !== undefined && error) {
        await transaction
          .updateTable("stage")
          .set({ error })
          .where("operationId", "=", id)
          .where("number", "=", number)
          .execute();
      }
      if (before.message !== message) {
        await recordEvents(transaction, id, [{ kind: "note", text: message, ...(error && { data: { error } }) }]);
      }
      await enqueue(transaction, id, at);
    });
  }
}
