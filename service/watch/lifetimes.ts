import { sql, type Transaction } from "kysely";
import type { Database } from "../database/database";
import type { Tables } from "../database/tables";
import type { LifetimeRow } from "../database/watchTables";
import { KINDS } from "../kinds/kinds";
import {
  goneText,
  nextStep,
  noticeText,
  situationOf,
  withdrawnText,
  type LifetimeSettings,
  type Step,
} from "../lifetimes/rules";
import type { Operations } from "../operations";
import { SERVICE_ACTORS, type Caller } from "../operations/input";
import type { Log } from "../log";
import { notice, type Hear } from "./notices";

export interface LifetimesOptions {
  readonly settings: Pick<LifetimeSettings, "warningMs" | "diskOf" | "isGone">;
  readonly database: Database;
  readonly operations: Pick<Operations, "requestIn">;
  readonly log: Log;
  /** Called for each notice. */
  readonly hear?: Hear;
}

const TASK = "lifetimes";
const BATCH = 500;
/** How often to look whether the operations of a deployment have ended. */
const AGAIN = sql<Date>`now() + interval '1 minute'`;
/** When to look again whether somebody has made a destroyed deployment again without the service. */
const LATER = sql<Date>`now() + interval '1 hour'`;
const NOTHING_ANNOUNCED = { action: null, dueAt: null, actsAt: null, announcedAt: null };

/** The service asks under its own name. */
const callerOf = (tenant: string): Caller => ({ tenant, actor: SERVICE_ACTORS.lifetime, role: "operator" });

/** Hibernates and deprovisions deployments whose time is over, each after an announcement. */
export class Lifetimes {
  constructor(private readonly options: LifetimesOptions) {}

  /** Runs every minute, in one process. */
  readonly crontab = `* * * * * ${TASK}`;

  /** Tasks for the queue. */
  readonly tasks = { [TASK]: () => this.sweep() };

  /** Looks at the deployments whose time to be looked at has come. One that can't be judged stops no other. */
  async sweep(size = BATCH): Promise<void> {
    const { database, log } = this.options;
    for (let after: string | undefined = ""; after !== undefined;) {
      const due: { deploymentId: string }[] = await database
        .selectFrom("lifetime")
        .select("deploymentId")
        .where("nextAt", "<=", sql<Date>`now()`)
        .where("deploymentId", ">", after)
        .orderBy("deploymentId")
        .limit(size)
        .execute();
      for (const { deploymentId } of due) {
        try {
          await database.transaction().execute((transaction) => this.look(transaction, deploymentId));
        } catch (error) {
          log.warn({ deployment: deploymentId, err: error }, "the lifetime of a deployment could not be judged");
        }
      }
      after = due.length === size ? due.at(-1)?.deploymentId : undefined;
    }
  }

  /** Judges one deployment under its lock: who uses or changes it at this moment is earlier or later, never in between. */
  private async look(transaction: Transaction<Tables>, id: string): Promise<void> {
    const deployment = await transaction
      .selectFrom("deployment")
      .select(["id", "name", "tenant", "revision", "desiredState", "protected", "deletedAt"])
      .select(sql<Date>`now()`.as("now"))
      .where("id", "=", id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    // Somebody changes it now; the next sweep looks at the result.
    if (!deployment) return;
    const row = await transaction
      .selectFrom("lifetime")
      .selectAll()
      .where("deploymentId", "=", id)
      .where("nextAt", "<=", sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    const step = nextStep(row, row, situationOf(deployment, deployment.now, this.options.settings.warningMs));
    const progress = await this.take(transaction, deployment, row, step);
    await transaction.updateTable("lifetime").set(progress).where("deploymentId", "=", id).execute();
  }

  /** Takes a step, and returns what to remember of it. */
  private async take(
    transaction: Transaction<Tables>,
    { id, name, tenant, revision, desiredState, now }: Judged,
    { action, actsAt }: LifetimeRow,
    step: Step,
  ): Promise<Partial<Omit<LifetimeRow, "nextAt">> & { readonly nextAt?: Date | null | typeof AGAIN }> {
    const { operations, hear, settings } = this.options;
    const report = (level: "info" | "warning", text: string) =>
      notice(transaction, { kind: "lifetime", tenant, subject: name, level, text }, hear);
    if (step.kind !== "wait" && (await settings.isGone?.(id))) {
      if (action !== null && actsAt !== null) await report("info", goneText(action, actsAt));
      return { ...NOTHING_ANNOUNCED, nextAt: LATER };
    }
    const disk = step.kind !== "wait" && KINDS[step.due.action].deletes ? await settings.diskOf?.(id) : undefined;
    if (step.kind === "wait") {
      if (step.holds) return { nextAt: step.until };
      if (action !== null && actsAt !== null && desiredState !== "absent") {
        await report("info", withdrawnText(action, actsAt));
      }
      return { ...NOTHING_ANNOUNCED, nextAt: step.until };
    }
    if (step.kind === "announce") {
      await report(step.actsAt === null ? "info" : "warning", noticeText(step, undefined, disk));
      const announced = { action: step.due.action, dueAt: step.due.at, actsAt: step.actsAt, announcedAt: now };
      return { ...announced, nextAt: step.actsAt };
    }
    const busy = await transaction
      .selectFrom("operation")
      .select("id")
      .where("deploymentId", "=", id)
      .where("state", "in", ["pending", "in_progress"])
      .limit(1)
      .executeTakeFirst();
    if (busy) return { nextAt: AGAIN };
    const asked = { deployment: name, kind: step.due.action, revision };
    const operation = await operations.requestIn(transaction, asked, callerOf(tenant));
    await report("warning", noticeText(step, operation.id, disk));
    // The request itself made it due for another look.
    return NOTHING_ANNOUNCED;
  }
}

interface Judged {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly revision: number;
  readonly desiredState: string;
  readonly now: Date;
}
