import { sql } from "kysely";
import type { StaticProvisioner } from "../../../components/runtime/types/static/spec";
import { messageOf } from "../../../foundation/errors";
import type { Workspace } from "../../../foundation/pulumi/backend";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { Provisioner } from "../../../components/runtime/types/registry";
import type { Database } from "../../database/database";
import { IS_AT_REST } from "../../database/queries/deployments";
import type { HealthRow } from "../../database/watchTables";
import { notice, wasWarned, type Hear } from "../notices";
import { type Health, type HealthOf, type MonitoredRuntime, type HealthContext, HEALTHY } from "./health";
import { podsHealth } from "./pods";
import { shootHealth } from "./shoots";

const PATIENCE_MS = 5_000;

/** A runtime on a host of a pool is healthy while the host answers. */
export const hostHealth: HealthOf<StaticProvisioner> = async ({ host, before }, _provisioner, looking) => {
  if (host === null || !/^https?:\/\//.test(host)) {
    return { state: "unknown", reason: "its host is not a valid URL" };
  }
  return judgeHost(host, await looking.once([host], () => failureOf(host)), before);
};

/**
 * Returns the connection failure, or undefined. Any HTTP response counts as healthy, because the endpoint may require a
 * token.
 */
async function failureOf(host: string): Promise<string | undefined> {
  try {
    const response = await fetch(host, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.body?.cancel();
    return response.status === 502 || response.status === 503 || response.status === 504
      ? `it answers ${response.status}`
      : undefined;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return messageOf(cause).split("\n")[0];
  }
}

/**
 * Judges a host by its response. A host that never answered may be unreachable for the service, for example because of
 * a NetworkPolicy, so its health is unknown. Pure.
 */
export function judgeHost(host: string, failure: string | undefined, before: HealthRow["state"] | null): Health {
  if (failure === undefined) return HEALTHY;
  const hasAnswered = before === "healthy" || before === "unhealthy";
  return hasAnswered
    ? { state: "unhealthy", reason: `host ${host} does not answer: ${failure}` }
    : { state: "unknown", reason: `host ${host} has not answered yet: ${failure}` };
}

/** Maximum number of runtimes per pass, those with the oldest check first. */
const MOST = 200;

/** Health check by type of provisioner. */
const BY_TYPE: { readonly [Type in Provisioner["type"]]: HealthOf<Extract<Provisioner, { readonly type: Type }>> } = {
  kubernetes: podsHealth,
  gardener: shootHealth,
  static: hostHealth,
};

/** Stores the health of runtimes, and records a notice when it changes. */
export async function watchHealth(
  database: Database,
  workspace: Workspace,
  platformOf: (name: string) => Promise<Platform>,
  hear?: Hear,
): Promise<void> {
  const read = new Map<string, Promise<unknown>>();
  const looking: HealthContext = {
    workspace,
    platformOf,
    once: <T>(key: readonly unknown[], work: () => Promise<T>): Promise<T> => {
      const text = JSON.stringify(key);
      const known = (read.get(text) as Promise<T> | undefined) ?? work();
      read.set(text, known);
      return known;
    },
  };
  for (const one of await due(database)) await keep(database, one, await healthOf(one, looking), hear);
}

/** Runtimes that should be running and that no operation is changing. */
async function due(database: Database): Promise<MonitoredRuntime[]> {
  const rows = await database
    .selectFrom("deployment")
    .leftJoin("health", "health.deploymentId", "deployment.id")
    .select(["deployment.id", "deployment.name", "deployment.tenant", "deployment.provisioner"])
    .select("health.state as before")
    .select(sql<string>`deployment.desired_config ->> 'platform'`.as("platform"))
    .select(sql<string | null>`deployment.outputs ->> 'host'`.as("host"))
    .where("deployment.deletedAt", "is", null)
    .where("deployment.desiredState", "=", "running")
    .where("deployment.provisioner", "is not", null)
    .where(IS_AT_REST)
    .orderBy("health.checkedAt", (order) => order.asc().nullsFirst())
    .limit(MOST)
    .execute();
  return rows.map(({ provisioner, ...row }) => ({ ...row, provisioner: provisioner ?? "" }));
}

async function healthOf(runtime: MonitoredRuntime, looking: HealthContext): Promise<Health> {
  try {
    const provisioner = (await looking.platformOf(runtime.platform)).provisioners[runtime.provisioner];
    if (!provisioner) {
      return { state: "unknown", reason: `the platform has no provisioner ${runtime.provisioner} any more` };
    }
    return await (BY_TYPE[provisioner.type] as HealthOf)(runtime, provisioner, looking);
  } catch (error) {
    return { state: "unknown", reason: `it could not be checked: ${messageOf(error).split("\n")[0]}` };
  }
}

async function keep(
  database: Database,
  { id, name, tenant, before }: MonitoredRuntime,
  { state, reason }: Health,
  hear: Hear | undefined,
): Promise<void> {
  const row = { state, reason, checkedAt: sql<Date>`now()` };
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("health")
      .values({ deploymentId: id, ...row })
      .onConflict((conflict) => conflict.column("deploymentId").doUpdateSet(row))
      .execute();
    // A failed check is not news about the runtime.
    if (state === "unknown" || state === before) return;
    const about = { kind: "health", tenant, subject: name } as const;
    const text = noticeText(await wasWarned(transaction, about), { state, reason });
    if (text === undefined) return;
    await notice(transaction, { ...about, level: state === "healthy" ? "info" : "warning", text }, hear);
  });
}

/** Returns the text of a notice; undefined if there is no change to report. Pure. */
function noticeText(warned: boolean, { state, reason }: Health): string | undefined {
  if (warned === (state === "unhealthy")) return undefined;
  return warned ? "it is healthy again" : (reason ?? "it is not healthy");
}
