import { sql } from "kysely";
import type { Database } from "../../database/database";
import type { OperationResult, StoredError } from "../../database/tables";
import { recordEvents } from "../../database/queries/events";
import { enqueue, LOOK_TASK, OPERATION_TASK } from "../queue";
import { lockLeased, type Lease } from "./lease";
import type { Stage } from "./stage";

/** Records the progress of an operation. Each method throws if this process no longer owns the operation. */
export class Progress {
  constructor(
    private readonly database: Database,
    private readonly lease: Lease,
  ) {}

  /** Starts or restarts a stage. Returns its remaining time and its previous error. */
  enter(
    number: number,
    { name, limitMs }: Pick<Stage, "name" | "limitMs">,
    stageMs: number,
  ): Promise<{ ms: number; error: StoredError | null }> {
    const { database, lease } = this;
    const { id } = lease;
    return database.transaction().execute(async (transaction) => {
      const operation = await lockLeased(transaction, lease);
      const known = await transaction
        .selectFrom("stage")
        .select(["startedAt", "error"])
        .where("operationId", "=", id)
        .where("number", "=", number)
        .executeTakeFirst();
      // An older version of the service with fewer stages started the operation.
      if (!known)
        await transaction.insertInto("stage").values({ operationId: id, number, name, state: "pending" }).execute();
      const { startedAt, error } = known ?? { startedAt: null, error: null };
      const before = await transaction
        .updateTable("stage")
        .set((eb) => ({
          state: "in_progress",
          startedAt: sql<Date>`coalesce(started_at, now())`,
          attempts: eb("attempts", "+", 1),
        }))
        .where("operationId", "=", id)
        .where("number", "=", number)
        .returning(["startedAt", "attempts", sql<Date>`now()`.as("now")])
        .executeTakeFirstOrThrow();
      const message = startedAt === null ? `stage ${name}` : `stage ${name}, try ${before.attempts}`;
      // A stage that only polls keeps its message, which says what it waits for.
      const says = startedAt === null || error !== null ? { stage: name, message } : { stage: name };
      await transaction.updateTable("operation").set(says).where("id", "=", id).execute();
      if (startedAt === null) {
        await recordEvents(transaction, id, [{ kind: "stage", text: message, data: { stage: name, number } }]);
      }
      const now = before.now.getTime();
      const ofStage = (before.startedAt?.getTime() ?? now) + (limitMs ?? stageMs);
      const deadline = Math.min(ofStage, operation.deadlineAt?.getTime() ?? ofStage);
      return { ms: deadline - now, error };
    });
  }

  /** Ends a stage that succeeded. */
  async leave(number: number, result: OperationResult | undefined): Promise<void> {
    const { database, lease } = this;
    const { id } = lease;
    await database.transaction().execute(async (transaction) => {
      await lockLeased(transaction, lease);
      await transaction
        .updateTable("stage")
        .set({ state: "succeeded", endedAt: sql<Date>`now()`, error: null })
        .where("operationId", "=", id)
        .where("number", "=", number)
        .execute();
      await transaction
        .updateTable("operation")
        .set({ error: null, ...(result && { result }) })
        .where("id", "=", id)
        .execute();
    });
  }

  /**
   * Puts an operation back into the queue, where any process may continue it. `number` is the stage to run again;
   * undefined if none has started.
   */
  async later(number: number | undefined, afterMs: number, { message, error, looks = false }: Later): Promise<void> {
    const { database, lease } = this;
    const { id } = lease;
    await database.transaction().execute(async (transaction) => {
      const before = await lockLeased(transaction, lease);
      const at = new Date(Date.now() + afterMs);
      await transaction
        .updateTable("operation")
        .set({
          leaseUntil: sql<Date>`now() + ${afterMs / 1000} * interval '1 second'`,
          ...(message !== undefined && { message }),
          // No process owns the operation until then, and an orderly release does not count as a failed attempt.
          leaseOwner: null,
          ...(!error && { attempts: Math.max(1, before.attempts - 1) }),
          // Waiting without a failure clears the previous error.
          ...(number !== undefined && { error: error ?? null }),
        })
        .where("id", "=", id)
        .execute();
      if (number !== undefined) {
        await transaction
          .updateTable("stage")
          // A check that found no error does not count as a failed attempt.
          .set((eb) => ({ error: error ?? null, ...(!error && { attempts: eb("attempts", "-", 1) }) }))
          .where("operationId", "=", id)
          .where("number", "=", number)
          .execute();
      }
      if (message !== undefined && before.message !== message) {
        await recordEvents(transaction, id, [{ kind: "note", text: message, ...(error && { data: { error } }) }]);
      }
      await enqueue(transaction, id, at, looks ? LOOK_TASK : OPERATION_TASK);
    });
  }
}

/** How an operation continues later. */
interface Later {
  /** Default: the current message. */
  readonly message?: string;
  /** The error of this attempt. */
  readonly error?: StoredError;
  /** Whether the next run only polls and needs no engine. Default: false. */
  readonly looks?: boolean;
}
