import type { Transaction } from "kysely";
import type { RuntimeConfig } from "../../../engine/stack/change";
import type { Connection, Database } from "../../database/database";
import * as deployments from "../../database/queries/deployments";
import { lifetimesOf, noteUse, storeLifetime } from "../../database/queries/lifetimes";
import type { DeploymentRow, Tables } from "../../database/tables";
import {
  afterRequest,
  NO_LIMITS,
  viewOf,
  withLimits,
  type DiskFate,
  type Lifetime,
  type LifetimeSettings,
  type LifetimeView,
  type Limits,
  type LimitsChange,
} from "../../lifetimes/rules";
import { KINDS } from "../../kinds/kinds";
import { audit } from "../audit";
import { desiredStateOf } from "../desired";
import { OperationError } from "../error";
import type { Caller, CheckedInput } from "../input";
import { mayRequest } from "../limits/mayRequest";

/** Returns the limits that a new deployment gets. */
export const limitsOf = (
  { lifetime }: Pick<CheckedInput, "lifetime">,
  settings: Pick<LifetimeSettings, "defaults"> | undefined,
): Limits => (lifetime === null ? NO_LIMITS : { ...NO_LIMITS, ...settings?.defaults, ...lifetime });

/** Gives a new deployment its limits, whatever a former one of its id had. */
export async function startLifetime(
  transaction: Transaction<Tables>,
  { id, desiredState }: Pick<DeploymentRow, "id" | "desiredState">,
  limits: Limits,
): Promise<void> {
  await transaction.deleteFrom("lifetime").where("deploymentId", "=", id).execute();
  if (Object.values(limits).every((limit) => limit === null)) return;
  await storeLifetime(transaction, id, withLimits(undefined, limits, stoppedNow(desiredState)));
}

/** Changes the limits of a deployment at once, without an operation. */
export async function setLifetime(
  transaction: Transaction<Tables>,
  name: string,
  change: LimitsChange,
  caller: Caller,
  revision: number | undefined,
): Promise<DeploymentRow> {
  const row = existing(name, revision, await deployments.lockedById(transaction, caller.tenant, name));
  await audit(transaction, caller, { action: "setLifetime", target: name, details: { lifetime: change } }, "accepted");
  await storeLifetime(transaction, row.id, await changed(transaction, row, change));
  return deployments.revise(transaction, row, {});
}

/** Returns what a change of the limits would make of the lifetime. */
export async function previewLimits(
  database: Database,
  name: string,
  change: LimitsChange,
  { tenant }: Caller,
  revision: number | undefined,
  settings: LifetimeSettings | undefined,
): Promise<LifetimeView | undefined> {
  const row = existing(name, revision, await deployments.byId(database, tenant, name));
  return view(await changed(database, row, change), row.protected, settings, await settings?.diskOf?.(row.id));
}

/** Returns what a request would make of the lifetime. */
export async function previewRequest(
  database: Database,
  { kind, ...request }: CheckedInput,
  before: DeploymentRow | undefined,
  desiredConfig: RuntimeConfig,
  settings: LifetimeSettings | undefined,
): Promise<LifetimeView | undefined> {
  const desiredState = desiredStateOf(desiredConfig);
  const { deletes, creates } = KINDS[kind];
  if (deletes) return undefined;
  if (creates) {
    return view(withLimits(undefined, limitsOf(request, settings), stoppedNow(desiredState)), false, settings);
  }
  const [row] = before ? await lifetimesOf(database, [before.id]) : [];
  if (!row || !before) return undefined;
  const disk = await settings?.diskOf?.(before.id);
  return view(afterRequest(row, kind, desiredState, new Date()), row.protected, settings, disk);
}

/** Records that a deployment is in use. */
export async function touch(
  transaction: Transaction<Tables>,
  name: string,
  { tenant }: Caller,
): Promise<DeploymentRow> {
  const find = async () => existing(name, undefined, await deployments.byId(transaction, tenant, name));
  const { id } = await find();
  await noteUse(transaction, id);
  // Where the service hibernates it at this moment, the caller learns that.
  return find();
}

/** Throws unless the deployment may be changed. */
function existing(name: string, revision: number | undefined, row: DeploymentRow | undefined): DeploymentRow {
  mayRequest({ deployment: name, kind: "update", revision }, row);
  if (row) return row;
  throw new OperationError("NOT_FOUND", { reason: `there is no deployment ${name}`, path: "id" });
}

async function changed(
  connection: Connection,
  { id, desiredState }: Pick<DeploymentRow, "id" | "desiredState">,
  change: LimitsChange,
): Promise<Lifetime> {
  const [before] = await lifetimesOf(connection, [id]);
  return withLimits(before, change, stoppedNow(desiredState));
}

const stoppedNow = (desiredState: DeploymentRow["desiredState"]) => ({
  isStopped: desiredState === "hibernated",
  now: new Date(),
});

/** Returns a lifetime of which nothing is announced as its readers see it. */
function view(
  lifetime: Lifetime,
  isProtected: boolean,
  { warningMs }: Pick<LifetimeSettings, "warningMs"> = { warningMs: 0 },
  disk?: DiskFate,
): LifetimeView | undefined {
  return viewOf(lifetime, undefined, { now: new Date(), isProtected, isGoing: false, warningMs }, disk);
}
