import type { Transaction } from "kysely";
import type { Plan, Planner } from "./planner";
import { isDatabaseUnavailable } from "../../foundation/net/unavailable";
import type { Database } from "../database/database";
import { NO_KEYS, type Vault } from "../database/sealing/vault";
import * as queries from "../database/queries/operations";
import * as deployments from "../database/queries/deployments";
import type { RuntimeConfig } from "../../engine/stack/change";
import { hasSecretValues } from "../../engine/stack/secretValues";
import type { DeploymentRow, OperationRow, Tables } from "../database/tables";
import { KINDS } from "../kinds/kinds";
import { checked, demandKey, type Asking, type CheckedInput, type OperationInput, type Caller } from "./input";
import { auditRefusal, type Audited } from "./audit";
import { demandCluster } from "./limits/clusterName";
import { isRefusal, OperationError } from "./error";
import { runOnce, type Results } from "./idempotency";
import { mayRequest } from "./limits/mayRequest";
import type { DiskCheck, RequestCheck } from "./checks";
import type { Quota } from "./limits/quota";
import type { OnEnd } from "./queue";
import { accept, requestAgain, desiredOf, withinQuota } from "./request";
import { freeNames, stackNames, type StackNaming } from "../database/queries/stackNames";
import type { LifetimeSettings, LimitsChange } from "../lifetimes/rules";
import { cancelOperation } from "./changes/cancel";
import { previewLimits, previewRequest, setLifetime, touch } from "./changes/lifetime";
import { setProtection } from "./changes/protect";
import { rollBackRecord } from "./changes/rollBackRecord";

export interface OperationsOptions {
  readonly database: Database;
  /** Default platform of deployments, as organization/project/stack. */
  readonly defaultPlatform: string;
  /** Quota of tenants that are not in the table of quotas. */
  readonly quota?: Quota;
  /** How to name the stacks of new deployments. Default: by id. */
  readonly stackNaming?: StackNaming;
  /** Seals secrets. Default: no vault; requests with secrets are rejected. */
  readonly vault?: Vault;
  /** Previews operations. Default: previews are unavailable. */
  readonly planner?: Pick<Planner, "plan">;
  /** Called in the transaction that ends an operation, to queue work that follows. */
  readonly onEnd?: OnEnd;
  /** Checks requests against the platform's outputs. Default: the operation checks them. */
  readonly judge?: RequestCheck;
  /** Checks kept disks of requests. Default: such requests are rejected. */
  readonly disks?: DiskCheck;
  /** Limits of new deployments. Default: none. */
  readonly lifetimes?: LifetimeSettings;
}

/** All requests about deployments. Each method records the request and its outcome in the audit trail. */
export class Operations {
  constructor(private readonly options: OperationsOptions) {}

  /** Requests an operation. A request during a running operation is queued and starts after it. */
  request(asked: OperationInput, caller: Caller): Promise<OperationRow> {
    const details = { change: asked.change ?? {}, ...(asked.revision !== undefined && { revision: asked.revision }) };
    return this.audited(caller, { action: asked.kind, target: asked.deployment, details }, async () => {
      const request = checked(asked);
      // Checked before the transaction, which must not hold locks while a platform is read.
      const refusal = await this.refusalOf(request, caller);
      const { deployment, kind, change, revision, idempotencyKey: key, lifetime } = request;
      const what = { deployment, kind, change, revision, ...(lifetime !== undefined && { lifetime }) };
      const keyed = { key, request: what, caller, vault: this.vault, hasSecrets: hasSecretValues(change) };
      return runOnce(this.database, "operation", keyed, (transaction) =>
        accept(transaction, request, caller, { ...this.options, refusal }),
      );
    });
  }

  /** Requests an operation of the service itself in its transaction. */
  requestIn(
    transaction: Transaction<Tables>,
    asked: Omit<OperationInput, "idempotencyKey">,
    caller: Caller,
  ): Promise<OperationRow> {
    return accept(transaction, checked(asked), caller, this.options);
  }

  /** Previews an operation. Changes nothing, but fails for the same reasons as the operation. */
  plan(asked: OperationInput, caller: Caller): Promise<Plan> {
    const details = { change: asked.change ?? {}, plan: true };
    return this.recorded(caller, { action: asked.kind, target: asked.deployment, details }, async () => {
      const { planner, defaultPlatform, quota } = this.options;
      const request = checked(asked);
      demandKey(request.change, this.vault);
      const before = await deployments.byId(this.database, caller.tenant, request.deployment);
      mayRequest(request, before);
      const desiredConfig = desiredOf(request, before, defaultPlatform);
      await this.database.transaction().execute(async (transaction) => {
        await withinQuota(transaction, request, caller.tenant, desiredConfig, quota);
        const { tenant } = caller;
        if (!KINDS[request.kind].deletes) {
          await demandCluster(transaction, desiredConfig, { tenant, name: request.deployment });
        }
      });
      const refusal = await this.refusalOf(request, caller);
      if (refusal) throw refusal;
      if (!planner) throw new OperationError("UNAVAILABLE", { reason: "this process of the service runs no engine" });
      const { deployment, kind, change } = request;
      const stack = before?.id ?? (await this.newStack(caller.tenant, request));
      const plan = await planner.plan({ deployment: stack, kind, change, desiredConfig });
      const lifetime = await previewRequest(this.database, request, before, desiredConfig, this.options.lifetimes);
      return { ...plan, deployment, lifetime, notes: [...plan.notes, ...(lifetime?.notes ?? [])] };
    });
  }

  /** Changes the limits of a deployment's lifetime. */
  setLifetime(id: string, change: LimitsChange, caller: Caller, more: Asking = {}): Promise<DeploymentRow> {
    const { revision, idempotencyKey: key } = more;
    return this.audited(caller, { action: "setLifetime", target: id, details: { lifetime: change } }, () =>
      this.once("deployment", key, { setLifetime: id, change, revision }, caller, (transaction) =>
        setLifetime(transaction, id, change, caller, revision),
      ),
    );
  }

  /** Previews a change of the limits. */
  planLifetime(id: string, change: LimitsChange, caller: Caller, { revision }: Asking = {}): Promise<Plan> {
    const details = { lifetime: change, plan: true };
    return this.audited(caller, { action: "setLifetime", target: id, details }, async () => {
      const lifetime = await previewLimits(this.database, id, change, caller, revision, this.options.lifetimes);
      return { deployment: id, kind: "update", changes: [], notes: lifetime?.notes ?? [], lifetime };
    });
  }

  /** Records that a deployment is in use; not in the audit trail, because products report it often. */
  touch(id: string, caller: Caller, key?: string): Promise<DeploymentRow> {
    return this.audited(caller, { action: "touch", target: id }, () =>
      this.once("deployment", key, { touch: id }, caller, (transaction) => touch(transaction, id, caller)),
    );
  }

  /** Cancels an operation: a pending one at once, a running one as soon as its engine has stopped cleanly. */
  cancel(id: string, caller: Caller, key?: string): Promise<OperationRow> {
    return this.audited(caller, { action: "cancel", target: id }, () =>
      this.once("operation", key, { cancel: id }, caller, async (transaction) =>
        cancelOperation(transaction, await ownOperation(transaction, id, caller), caller, this.options),
      ),
    );
  }

  /** Requests the work of a failed or canceled operation again. */
  retry(id: string, caller: Caller, key?: string): Promise<OperationRow> {
    return this.audited(caller, { action: "retry", target: id }, () =>
      this.once("operation", key, { retry: id }, caller, async (transaction) => {
        const row = await ownOperation(transaction, id, caller);
        if (row.state !== "failed" && row.state !== "canceled") {
          const reason = `operation ${id} is ${row.state}; expected one that failed or was canceled`;
          throw new OperationError("CONFLICT", { reason, path: "id" });
        }
        if (row.past !== null) {
          const reason = `operation ${id} was run by an earlier system, which did not leave its request`;
          throw new OperationError("CONFLICT", { reason, path: "id", advice: "Ask for what is needed now" });
        }
        if (isRefusal(row.error) && hasSecretValues(row.change)) {
          throw new OperationError("CONFLICT", {
            reason: `operation ${id} was refused, and the secrets of its request were not kept`,
            path: "id",
            advice: "Correct the request, and ask again",
          });
        }
        const deployment = await nameOf(transaction, row);
        const [newest] = await queries.newestOf(transaction, [row.deploymentId]);
        if (newest?.id !== row.id) {
          throw new OperationError("CONFLICT", {
            reason: `operation ${newest?.id} of deployment ${deployment} is newer`,
            path: "id",
            advice: "Retry the newest one, or ask for what is needed now",
          });
        }
        const { kind, change } = row;
        return requestAgain(transaction, { deployment, kind, change }, caller, { ...this.options, retryOf: row.id });
      }),
    );
  }

  /** Protects the data of a deployment, or removes the protection. */
  protect(id: string, isProtected: boolean, caller: Caller, more: Asking = {}): Promise<DeploymentRow> {
    const { revision, idempotencyKey: key, dryRun = false } = more;
    const action = isProtected ? "protect" : "unprotect";
    const protecting = (transaction: Transaction<Tables>): Promise<DeploymentRow> =>
      setProtection(transaction, id, isProtected, caller, { revision, dryRun }, this.options);
    return this.audited(caller, { action, target: id }, () =>
      this.once("deployment", dryRun ? undefined : key, { [action]: id, revision }, caller, protecting),
    );
  }

  /** Restores the Kyma configuration recorded before the last upgrade. Does not touch the cluster. */
  rollBackRecord(id: string, caller: Caller): Promise<DeploymentRow> {
    return this.audited(caller, { action: "rollBackRecord", target: id }, () =>
      this.database.transaction().execute((transaction) => rollBackRecord(transaction, id, caller)),
    );
  }

  /** Runs a change in a transaction. A repeated request with the same key changes nothing. */
  private once<Kind extends "operation" | "deployment">(
    kind: Kind,
    key: string | undefined,
    what: object,
    caller: Caller,
    work: (transaction: Transaction<Tables>) => Promise<Results[Kind]>,
  ): Promise<Results[Kind]> {
    return runOnce(this.database, kind, { key, request: what, caller, vault: this.vault }, work);
  }

  private get vault(): Vault {
    return this.options.vault ?? NO_KEYS;
  }

  private get database(): Database {
    return this.options.database;
  }

  /** Returns the stack name that a new deployment would get. */
  private async newStack(tenant: string, { deployment: id, stackNaming }: CheckedInput): Promise<string> {
    const names = stackNames(tenant, id, stackNaming ?? this.options.stackNaming);
    const [stack = id] = await freeNames(this.database, names);
    return stack;
  }

  /**
   * Returns why the operation would reject the request as invalid. Requests that fail earlier checks are left to those
   * checks.
   */
  private async refusalOf(asked: CheckedInput, { tenant }: Caller): Promise<OperationError | undefined> {
    const { judge, disks, defaultPlatform } = this.options;
    const { deployment, kind, change } = asked;
    const { disk } = change;
    const isPlain = Object.keys(change.deployment).length === 0 && change.platform === undefined;
    const isUnknown = judge === undefined && disk === undefined;
    if (isUnknown || isPlain || KINDS[kind].change !== undefined) return undefined;
    const before = await deployments.byId(this.database, tenant, deployment);
    let desiredConfig: RuntimeConfig;
    try {
      mayRequest(asked, before);
      desiredConfig = desiredOf(asked, before, defaultPlatform);
    } catch (error) {
      if (error instanceof OperationError) return undefined;
      throw error;
    }
    const isThere = before !== undefined && before.deletedAt === null;
    const provisioner = isThere ? before.provisioner : null;
    const refusal = await judge?.({ deployment, change, desiredConfig, provisioner });
    if (refusal !== undefined || disk === undefined) return refusal;
    if (disks === undefined) return new OperationError("UNAVAILABLE", { reason: "this process reads no disks" });
    return disks({ tenant, disk, deployment, desiredConfig });
  }

  /** Runs a change, which viewers may not request, and records a rejection. */
  private audited<T>(caller: Caller, what: Audited, work: () => Promise<T>): Promise<T> {
    return this.recorded(caller, what, () => {
      if (caller.role === "viewer") {
        throw new OperationError("FORBIDDEN", { reason: `a viewer may not ask for ${what.action}` });
      }
      return work();
    });
  }

  private async recorded<T>(caller: Caller, what: Audited, work: () => Promise<T>): Promise<T> {
    try {
      return await auditRefusal(this.database, caller, what, work);
    } catch (error) {
      throw isDatabaseUnavailable(error)
        ? new OperationError(
            "UNAVAILABLE",
            { reason: "the database does not answer", component: "database" },
            { cause: error },
          )
        : error;
    }
  }
}

/** Returns an operation of the caller's tenant. */
async function ownOperation(transaction: Transaction<Tables>, id: string, { tenant }: Caller): Promise<OperationRow> {
  const row = await queries.byId(transaction, tenant, id);
  if (row === undefined) throw new OperationError("NOT_FOUND", { reason: `there is no operation ${id}`, path: "id" });
  return row;
}

/** Returns the id of an operation's deployment in the API. */
async function nameOf(transaction: Transaction<Tables>, { deploymentId, tenant }: OperationRow): Promise<string> {
  const [row] = await deployments.byIds(transaction, [deploymentId]);
  if (row?.tenant === tenant) return row.name;
  throw new OperationError("NOT_FOUND", { reason: "the operation's deployment is another tenant's", path: "id" });
}
