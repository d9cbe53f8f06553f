import { sql } from "kysely";
import { messageOf } from "../../foundation/errors";
import { nextStep, type RolloutItem } from "../../engine/workers/rollout";
import { inWaves, parseWaves } from "../../engine/workers/waves";
import type { Database } from "../database/database";
import type { Vault } from "../database/sealing/vault";
import type { RolloutItemRow, RolloutItemState, RolloutRow } from "../database/tables";
import type { Caller } from "../operations/input";
import { OperationError } from "../operations/error";
import type { Operations } from "../operations/operations";
import { addJob } from "../operations/queue";
import type { Planner } from "../operations/planner";
import { cancelRollout, requestRollout, TASK, type RolloutInput } from "./request";

export type { RolloutInput };

export interface RolloutOptions {
  readonly database: Database;
  readonly operations: Pick<Operations, "request">;
  readonly planner: () => Pick<Planner, "plan">;
  readonly vault?: Vault;
}

/** Number of concurrent plans. A stopping process waits for these. */
const AT_ONCE = 4;
/** Number of concurrent updates of a rollout, so that requests of users don't wait for all of them. */
const UPDATES_AT_ONCE = 8;
const LOOK_AGAIN_MS = 1_000;

/** A deployment that could not be planned is not updated, and counts as failed. */
const ITEM_STATES: Readonly<Record<RolloutItemState, RolloutItem["state"] | undefined>> = {
  unchanged: undefined,
  changes: "open",
  running: "running",
  succeeded: "succeeded",
  failed: "failed",
  unknown: "failed",
  skipped: undefined,
};

/**
 * Updates the deployments of a platform to its current config: first plans each one, then updates them in waves until
 * too many fail. Each turn is a job of the queue, so a process may die at any time.
 */
export class Rollouts {
  constructor(private readonly options: RolloutOptions) {}

  /** Tasks for the queue. */
  get tasks(): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
    return { [TASK]: (payload) => this.turn((payload as { readonly id: string }).id) };
  }

  /** Starts a rollout; for administrators. `everybody`: include the deployments of all tenants. */
  request(asked: RolloutInput, caller: Caller, everybody = false): Promise<RolloutRow> {
    return requestRollout(this.options, asked, caller, everybody);
  }

  /** Starts no further operations; those in progress continue. */
  cancel(id: string, caller: Caller, idempotencyKey?: string): Promise<RolloutRow> {
    return cancelRollout(this.options, id, caller, idempotencyKey);
  }

  items(id: string): Promise<RolloutItemRow[]> {
    const rows = this.options.database.selectFrom("rolloutItem").selectAll().where("rolloutId", "=", id);
    return rows.orderBy("wave").orderBy("deploymentId").execute();
  }

  /** Advances a rollout as far as possible now, and schedules the rest. */
  async turn(id: string): Promise<void> {
    const { database } = this.options;
    const row = await database.selectFrom("rollout").selectAll().where("id", "=", id).executeTakeFirst();
    if (row?.state === "planning") await this.plan(row);
    else if (row?.state === "running") await this.roll(row);
  }

  private async plan(row: RolloutRow): Promise<void> {
    const { database, planner } = this.options;
    const open = await database
      .selectFrom("deployment")
      .selectAll()
      .where("deletedAt", "is", null)
      .where("desiredState", "!=", "absent")
      .where(sql<boolean>`desired_config ->> 'platform' = ${row.platform}`)
      .$if(row.tenant !== null, (query) => query.where("tenant", "=", row.tenant ?? ""))
      .where(
        sql<boolean>`not exists (
        select from rollout_item where rollout_id = ${row.id} and deployment_id = deployment.id
      )`,
      )
      .orderBy("id")
      .limit(AT_ONCE)
      .execute();
    if (open.length === 0) return this.begin(row);
    const found = await Promise.all(
      open.map(async ({ id, desiredConfig }) => {
        try {
          const { changes } = await planner().plan({
            deployment: id,
            kind: "update",
            change: { deployment: {} },
            desiredConfig,
          });
          const state = changes.length > 0 ? ("changes" as const) : ("unchanged" as const);
          return { rolloutId: row.id, deploymentId: id, state, changes: { changes } };
        } catch (error) {
          return { rolloutId: row.id, deploymentId: id, state: "unknown" as const, error: messageOf(error) };
        }
      }),
    );
    for (const item of found) {
      await database
        .insertInto("rolloutItem")
        .values(item)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await addJob(database, TASK, row.id);
  }

  /** All deployments are planned: assigns those with changes to waves. */
  private async begin({ id, waves, dryRun }: RolloutRow): Promise<void> {
    const { database } = this.options;
    const items = await this.items(id);
    const open = items.filter(({ state }) => state === "changes");
    const split = inWaves(open, waves === null ? undefined : parseWaves(waves));
    await database.transaction().execute(async (transaction) => {
      for (const [index, wave] of split.entries()) {
        await transaction
          .updateTable("rolloutItem")
          .set({ wave: index + 1 })
          .where("rolloutId", "=", id)
          .where(
            "deploymentId",
            "in",
            wave.map(({ deploymentId }) => deploymentId),
          )
          .execute();
      }
      const message = `${open.length} of ${items.length} would change`;
      const state = dryRun ? { state: "planned" as const, endedAt: sql<Date>`now()` } : { state: "running" as const };
      const mine = transaction
        .updateTable("rollout")
        .set({ message, ...state })
        .where("id", "=", id);
      const { numUpdatedRows } = await mine.where("state", "=", "planning").executeTakeFirstOrThrow();
      if (!dryRun && numUpdatedRows > 0n) await addJob(transaction, TASK, id);
    });
  }

  private async roll(row: RolloutRow): Promise<void> {
    const { database } = this.options;
    await this.look(row.id);
    const items = (await this.items(row.id)).flatMap(({ deploymentId, wave, state }) => {
      const known = ITEM_STATES[state];
      return known === undefined ? [] : [{ deploymentId, wave: wave ?? 0, state: known }];
    });
    const step = nextStep(items, { parallel: UPDATES_AT_ONCE, maxFailures: row.maxFailures });
    if (step.do === "end") return this.end(row, items, step.tooManyFailed);
    if (step.do === "begin") for (const { deploymentId } of step.items) await this.update(row, deploymentId);
    await addJob(database, TASK, row.id, { at: new Date(Date.now() + LOOK_AGAIN_MS) });
  }

  private async end({ id, maxFailures }: RolloutRow, items: readonly RolloutItem[], tooManyFailed: boolean) {
    const number = (state: RolloutItem["state"]): number => items.filter((item) => item.state === state).length;
    const [failed, open] = [number("failed"), number("open")];
    const message = tooManyFailed
      ? `${failed} failed, ${maxFailures} may${open === 0 ? "" : `; ${open} not begun`}`
      : `${number("succeeded")} updated to the platform's configuration, ${failed} failed`;
    const state = tooManyFailed ? ("failed" as const) : ("succeeded" as const);
    await this.options.database.transaction().execute(async (transaction) => {
      const left = transaction.updateTable("rolloutItem").set({ state: "skipped" }).where("rolloutId", "=", id);
      await left.where("state", "=", "changes").execute();
      const ended = transaction.updateTable("rollout").set({ state, message, endedAt: sql<Date>`now()` });
      await ended.where("id", "=", id).where("state", "=", "running").execute();
    });
  }

  /** Records the outcome of operations that have ended. */
  private async look(id: string): Promise<void> {
    // The same caller has requested more for the deployment meanwhile.
    await sql`update rollout_item set operation_id = operation.replaced_by
      from operation where operation.id = rollout_item.operation_id and rollout_item.rollout_id = ${id}
      and rollout_item.state = 'running' and operation.state = 'replaced'`.execute(this.options.database);
    await sql`update rollout_item set state = case operation.state when 'succeeded' then 'succeeded' else 'failed' end
      from operation where operation.id = rollout_item.operation_id and rollout_item.rollout_id = ${id}
      and rollout_item.state = 'running' and operation.state in ('succeeded', 'failed', 'canceled')`.execute(
      this.options.database,
    );
  }

  /**
   * Requests the update of a deployment. The idempotency key ensures a single request even if the process is killed in
   * between.
   */
  private async update({ id, requestedBy }: RolloutRow, deployment: string): Promise<void> {
    const { database, operations } = this.options;
    const { name, tenant } = await database
      .selectFrom("deployment")
      .select(["name", "tenant"])
      .where("id", "=", deployment)
      .executeTakeFirstOrThrow();
    const item = database.updateTable("rolloutItem").where("rolloutId", "=", id).where("deploymentId", "=", deployment);
    try {
      const asked = { deployment: name, kind: "update" as const, idempotencyKey: `rollout-${id}-${deployment}` };
      const operation = await operations.request(asked, { tenant, actor: requestedBy, role: "operator" });
      await item.set({ state: "running", operationId: operation.id }).execute();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      await item.set({ state: "failed", error: error.reason }).execute();
    }
  }
}
