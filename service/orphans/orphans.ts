import type { Workspaces } from "../../foundation/pulumi/backend";
import { sql, type Transaction } from "kysely";
import { usedRevisions } from "../../engine/runtime/outdated";
import { configOf } from "../../engine/runtime/request/requests";
import { presentIn } from "../../engine/runtime/request/recorded";
import { findOrphans } from "../../engine/orphans/find";
import { partsOf } from "../../engine/orphans/kinds";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import type { StackState } from "../../engine/pulumi/state/checkpoint";
import { withStore } from "../../engine/pulumi/state/store";
import type { Database } from "../database/database";
import { NO_KEYS, type Vault } from "../database/sealing/vault";
import { byId, IS_AT_REST } from "../database/queries/deployments";
import { RequestOf } from "../database/sealing/requests";
import type { DeploymentRow, Tables } from "../database/tables";
import { demandAdmin, type Caller } from "../operations/input";
import { audit, auditRefusal, type Audited } from "../operations/audit";
import { NO_LIMITS } from "../lifetimes/rules";
import { startLifetime } from "../operations/changes/lifetime";
import { demandCluster } from "../operations/limits/clusterName";
import { OperationError } from "../operations/error";
import { runOnce } from "../operations/idempotency";
import { desiredStateOf, isProtectedBy } from "../operations/desired";
import { checkHistory, insertHistory, type PastOperation } from "./history";

/** A part of a deployment whose other parts are missing. */
export type Orphan =
  /** A stack that the service does not know: created by hand, or by a service whose database was lost. */
  | { readonly kind: "stack"; readonly id: string; readonly provisioner: string | null; readonly updatedAt?: Date }
  /** A deployment whose stack is missing. */
  | { readonly kind: "deployment"; readonly id: string; readonly tenant: string }
  /** Objects in a cluster, slots in a ledger or a database without a stack. */
  | { readonly kind: "parts"; readonly id: string; readonly provisioner: string; readonly parts: readonly string[] };

export interface OrphanOptions {
  readonly database: Database;
  readonly workspaces: Workspaces;
  /** Opens sealed idempotency records. Default: nothing is sealed. */
  readonly vault?: Vault;
}

export interface AdoptOptions {
  readonly idempotencyKey?: string;
  /** What an earlier system did with the runtime. */
  readonly history?: readonly PastOperation[];
}

export interface FoundOrphans {
  readonly orphans: readonly Orphan[];
  /** Platforms, ledgers and clusters that could not be read, each with the reason. */
  readonly unseen: readonly string[];
}

/** Finds and adopts orphans. For administrators only, because it covers all tenants. */
export class Orphans {
  constructor(private readonly options: OrphanOptions) {}

  async find(): Promise<FoundOrphans> {
    const { database, workspaces } = this.options;
    const read = () => database.selectFrom("deployment").selectAll().where("deletedAt", "is", null).execute();
    const [rowsBefore, previews] = await Promise.all([
      read(),
      database.selectFrom("preview").select("deploymentId as id").execute(),
    ]);
    const [states, parts] = await Promise.all([
      withStore(workspaces.runtimes, (store) => store.list(RUNTIME_PROJECT)),
      findOrphans(workspaces),
    ]);
    // Deployments that were requested or deleted during the search are not orphans.
    const rows = await read();
    const known = new Set([...rowsBefore, ...rows, ...previews].map(({ id }) => id));
    const stacks = new Set(states.map(({ name }) => name));
    const still = new Set(rows.map(({ id }) => id));
    const busy = await this.busy();
    const orphans: Orphan[] = [
      ...states.filter(({ name }) => !known.has(name)).map(stackOrphan),
      ...rowsBefore
        .filter(({ id, provisioner }) => provisioner !== null && still.has(id) && !stacks.has(id) && !busy.has(id))
        .map(({ name, tenant }) => ({ kind: "deployment" as const, id: name, tenant })),
      ...parts.orphans.map((orphan) => {
        const { id, provisioner } = orphan;
        return { kind: "parts" as const, id, provisioner, parts: partsOf(orphan) };
      }),
    ];
    return { orphans, unseen: parts.unseen };
  }

  /** Creates a deployment of the caller's tenant from an existing stack, without changing the stack. */
  async adopt(id: string, caller: Caller, { idempotencyKey, history = [] }: AdoptOptions = {}): Promise<DeploymentRow> {
    checkHistory(history);
    return this.asked({ action: "adopt", target: id }, caller, idempotencyKey, async (transaction) => {
      const row = await this.adopted(transaction, id, caller);
      await insertHistory(transaction, history, row);
      return row;
    });
  }

  private async adopted(transaction: Transaction<Tables>, id: string, caller: Caller): Promise<DeploymentRow> {
    const { runtimes } = this.options.workspaces;
    const state = await withStore(runtimes, (store) => store.find(RUNTIME_PROJECT, id));
    const present = state && presentIn(state);
    if (!state || present?.latest === undefined) {
      const reason = state
        ? `the state of ${id} does not have the request of its deployment`
        : `there is no stack ${id}`;
      throw new OperationError("NOT_FOUND", { reason, path: "id" });
    }
    const desiredConfig = configOf(present.latest, id);
    const { tenant } = caller;
    const request = new RequestOf({ tenant, deployment: id }, desiredConfig);
    const values = {
      name: id,
      tenant,
      desiredConfig: request,
      desiredState: desiredStateOf(desiredConfig),
      protected: isProtectedBy(desiredConfig),
      deletedAt: null,
    };
    const revisions = usedRevisions(state, present.latest);
    const has = { provisioner: present.provisioner, outputs: { ...state.outputs }, revisions };
    const same = await byId(transaction, caller.tenant, id);
    if (same && same.id !== id) {
      const reason = `tenant ${caller.tenant} has a deployment ${id} already, whose stack is ${same.id}`;
      throw new OperationError("CONFLICT", { reason, path: "id" });
    }
    await demandCluster(transaction, desiredConfig, { tenant, name: id });
    const row = await transaction
      .insertInto("deployment")
      .values({ id, ...values, ...has })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet({
            ...values,
            ...has,
            revision: sql`deployment.revision + 1`,
            ownedSince: sql`case when deployment.tenant = excluded.tenant then deployment.owned_since else now() end`,
          })
          .where("deployment.deletedAt", "is not", null),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new OperationError("CONFLICT", { reason: `there is a deployment ${id} already`, path: "id" });
    await startLifetime(transaction, row, NO_LIMITS);
    return row;
  }

  /** Removes a deployment whose stack no longer exists. Remaining parts are listed as orphans. */
  forget(id: string, caller: Caller, key?: string): Promise<DeploymentRow> {
    return this.asked({ action: "forget", target: id }, caller, key, (transaction) =>
      this.forgotten(transaction, id, caller),
    );
  }

  private async forgotten(transaction: Transaction<Tables>, id: string, caller: Caller): Promise<DeploymentRow> {
    const { runtimes } = this.options.workspaces;
    const stack = (await byId(transaction, caller.tenant, id))?.id ?? id;
    if (await withStore(runtimes, (store) => store.exists(RUNTIME_PROJECT, stack))) {
      const advice = "Deprovision it";
      throw new OperationError("CONFLICT", { reason: `deployment ${id} has a stack`, path: "id", advice });
    }
    const row = await transaction
      .updateTable("deployment")
      .set({ deletedAt: new Date(), provisioner: null, outputs: {}, revisions: {} })
      .where("id", "=", stack)
      .where("tenant", "=", caller.tenant)
      .where("deletedAt", "is", null)
      .where(IS_AT_REST)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new OperationError("NOT_FOUND", { reason: `there is no deployment ${id} at rest`, path: "id" });
    return row;
  }

  /** Executes a request of an administrator once per idempotency key. */
  private asked(
    audited: Audited,
    caller: Caller,
    key: string | undefined,
    work: (transaction: Transaction<Tables>) => Promise<DeploymentRow>,
  ): Promise<DeploymentRow> {
    const { database, vault = NO_KEYS } = this.options;
    return auditRefusal(database, caller, audited, () => {
      demandAdmin(caller);
      return runOnce(database, "deployment", { key, request: audited, caller, vault }, async (transaction) => {
        const row = await work(transaction);
        await audit(transaction, caller, audited, "accepted");
        return row;
      });
    });
  }

  private async busy(): Promise<ReadonlySet<string>> {
    const rows = await this.options.database
      .selectFrom("operation")
      .select("deploymentId")
      .where("state", "in", ["pending", "in_progress"])
      .execute();
    return new Set(rows.map(({ deploymentId }) => deploymentId));
  }
}

const stackOrphan = (state: StackState): Orphan => ({
  kind: "stack",
  id: state.name,
  provisioner: presentIn(state)?.provisioner ?? null,
  ...(state.updated && { updatedAt: state.updated }),
});
