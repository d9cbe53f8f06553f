import { sql, type Transaction } from "kysely";
import { messageOf } from "../../foundation/errors";
import { count } from "../../foundation/text/numbers";
import type { Database } from "../database/database";
import { IS_AT_REST } from "../database/queries/deployments";
import type { DeploymentRow, DriftRow, Tables } from "../database/tables";
import { SERVICE_ACTORS, type Caller } from "../operations/input";
import { OperationError } from "../operations/error";
import type { Operations } from "../operations/operations";
import { addJob, LOW_PRIORITY } from "../operations/queue";
import type { Planner } from "../operations/planner";
import type { Log } from "../log";
import { notice, wasWarned, type Hear } from "../watch/notices";

export interface DriftSettings {
  /** How often each deployment is compared with its cluster. */
  readonly everyMs: number;
  /** Whether to repair drift with an operation. */
  readonly repairs: boolean;
}

export interface DriftOptions {
  readonly settings: DriftSettings;
  readonly database: Database;
  readonly operations: Pick<Operations, "request">;
  readonly planner: () => Pick<Planner, "plan">;
  readonly log: Log;
  /** Called for each notice. */
  readonly hear?: Hear;
}

const TASK = "drift";
const SCHEDULE = "drift_schedule";

/** Drift detection requests repairs under its own name. */
const callerOf = (tenant: string): Caller => ({ tenant, actor: SERVICE_ACTORS.drift, role: "operator" });

/**
 * Compares each deployment with its actual resources. The checks are spread over the interval. Drift is recorded, and
 * repaired if enabled.
 */
export class Drift {
  constructor(private readonly options: DriftOptions) {}

  /** Tasks for the queue. */
  get tasks(): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
    return {
      [SCHEDULE]: () => this.schedule(),
      [TASK]: async (payload) => {
        await this.check((payload as { readonly id: string }).id);
      },
    };
  }

  /** Runs every minute, in one process. */
  readonly crontab = `* * * * * ${SCHEDULE}`;

  /** Queues the deployments that are due, with a lower priority than requests of users. */
  async schedule(): Promise<void> {
    const { database, settings } = this.options;
    const seconds = Math.max(1, Math.round(settings.everyMs / 1000));
    const due = await database
      .selectFrom("deployment")
      .leftJoin("drift", "drift.deploymentId", "deployment.id")
      .select("deployment.id")
      .where("deployment.deletedAt", "is", null)
      .where("deployment.provisioner", "is not", null)
      .where("deployment.desiredState", "!=", "absent")
      // The id determines the time of the first check; after that, each deployment keeps its own schedule.
      .where(
        sql<boolean>`coalesce(drift.checked_at + ${seconds} * interval '1 second',
          deployment.created_at + (abs(hashtextextended(deployment.id, 0)) % ${seconds}) * interval '1 second') <= now()`,
      )
      .where(IS_AT_REST)
      .execute();
    for (const { id } of due) await addJob(database, TASK, id, { priority: LOW_PRIORITY });
  }

  /** Compares one deployment. */
  async check(id: string): Promise<DriftRow | undefined> {
    const { database, planner, settings, log } = this.options;
    const deployment = await database.selectFrom("deployment").selectAll().where("id", "=", id).executeTakeFirst();
    if (!deployment || deployment.deletedAt !== null) return undefined;
    const { name, desiredConfig, tenant, revision } = deployment;
    let found: Pick<DriftRow, "changes" | "error">;
    try {
      const { changes } = await planner().plan({
        deployment: id,
        kind: "refresh",
        change: { deployment: {} },
        desiredConfig,
      });
      found = { changes: changes.length > 0 ? { changes } : null, error: null };
    } catch (error) {
      found = { changes: null, error: error instanceof OperationError ? error.reason : messageOf(error) };
    }
    let repairOperationId: string | null = null;
    if (found.changes !== null) {
      log.warn(
        { deployment: id, changes: found.changes.changes.length },
        "a deployment differs from its desired state",
      );
      if (settings.repairs) repairOperationId = await this.repair(name, tenant, revision);
    }
    const row = { checkedAt: new Date(), ...found, repairOperationId };
    return database.transaction().execute(async (transaction) => {
      await this.report(transaction, deployment, found);
      return transaction
        .insertInto("drift")
        .values({ deploymentId: id, ...row })
        .onConflict((conflict) => conflict.column("deploymentId").doUpdateSet(row))
        .returningAll()
        .executeTakeFirst();
    });
  }

  /** Reports drift once when it appears and once when it is gone. */
  private async report(
    transaction: Transaction<Tables>,
    { name, tenant }: DeploymentRow,
    found: Pick<DriftRow, "changes" | "error">,
  ): Promise<void> {
    if (found.error !== null) return;
    const changes = found.changes?.changes.length ?? 0;
    const about = { kind: "drift", tenant, subject: name } as const;
    const differed = await wasWarned(transaction, about);
    if (differed === changes > 0) return;
    const text =
      changes > 0
        ? `${count(changes, "change")} would restore its desired state`
        : "it matches its desired state again";
    const level = changes > 0 ? "warning" : "info";
    await notice(transaction, { ...about, level, text }, this.options.hear);
  }

  private async repair(deployment: string, tenant: string, revision: number): Promise<string | null> {
    try {
      const asked = { deployment, kind: "refresh" as const, revision };
      return (await this.options.operations.request(asked, callerOf(tenant))).id;
    } catch (error) {
      // A user has requested a change meanwhile; its operation starts from the actual resources anyway.
      if (error instanceof OperationError && error.code === "CONFLICT") return null;
      throw error;
    }
  }
}
