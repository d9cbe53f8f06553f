import { sql } from "kysely";
import type { Database } from "../../database/database";
import type { OperationResult, StoredError } from "../../database/tables";
import { recordEvents } from "../events";
import { enqueue, LOOK_TASK, OPERATION_TASK } from "../queue";
import { held } from "./lease";
import type { Stage } from "./stage";

/** Writes how far an operation is, as long as it is its owner's: each step throws if it is not any more. */
export class Progress {
  constructor(
    private readonly database: Database,
    private readonly id: string,
    private readonly owner: string,
  ) {}

  /** Begins a stage, or begins it again. Returns how long it may still take, and what it failed with before. */
  enter(
    number: number,
    { name, limitMs }: Pick<Stage, "name" | "limitMs">,
    stageMs: number,
  ): Promise<{ ms: number; error: StoredError | null }> {
    const { database, id, owner } = this;
    return database.transaction().execute(async (transaction) => {
      const operation = await held(transaction, id, owner);
      const known = await transaction
        .selectFrom("stage")
        .select(["startedAt", "error"])
        .where("operationId", "=", id)
        .where("number", "=", number)
        .executeTakeFirst();
      // The version of the service that began the operation had fewer stages.
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
      // Who only looks again whether something is there yet says what is waited for.
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
      await transaction
        .updateTable("operation")
        .set({ error: null, ...(result && { result }) })
        .where("id", "=", id)
        .execute();
    });
  }

  /**
   * Puts an operation back into the queue. From then on any process may continue with it. `number` is the stage that is run
   * again; none if nothing of one has been done.
   */
  async later(number: number | undefined, afterMs: number, { message, error, looks = false }: Later): Promise<void> {
    const { database, id, owner } = this;
    await database.transaction().execute(async (transaction) => {
      const before = await held(transaction, id, owner);
      const at = new Date(Date.now() + afterMs);
      await transaction
        .updateTable("operation")
        .set({
          leaseUntil: sql<Date>`now() + ${afterMs / 1000} * interval '1 second'`,
          ...(message !== undefined && { message }),
          // Nobody works on it until then, and who left it in order made no try that failed.
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
          // A look that found nothing wrong is no try that failed.
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

/** How an operation goes on later. */
interface Later {
  /** Default: as it was. */
  readonly message?: string;
  /** What it failed with. */
  readonly error?: StoredError;
  /** Whether only something is to be looked at then. Default: no. */
  readonly looks?: boolean;
}
