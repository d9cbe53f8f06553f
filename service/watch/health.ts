import { sql } from "kysely";
import { messageOf } from "../../foundation/errors";
import { connect } from "../../kubernetes/client/connect";
import { parseInventoryKey, type KubeObject, type Ref } from "../../kubernetes/client/objects";
import { hasPods, rollout } from "../../kubernetes/ready/rollout";
import type { Platform } from "../../components/runtime/platform/platform";
import { isSet } from "../../engine/state/cluster";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/state/store";
import type { Database } from "../database/database";
import type { HealthRow } from "../database/watchTables";
import { notice } from "./notices";

/** So many runtimes are looked at in one go, those first that were not looked at for the longest. */
const MOST = 200;
const PATIENCE_MS = 5_000;

type Health = Pick<HealthRow, "state" | "reason">;

interface Looked {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly platform: string;
  readonly provisioner: string;
  readonly before: HealthRow["state"] | null;
}

/** Keeps whether the pods of the runtimes in clusters are ready, and records where that changed. */
export async function watchHealth(
  database: Database,
  folder: string,
  platformOf: (name: string) => Promise<Platform>,
): Promise<void> {
  const lists = new Map<string, Promise<readonly KubeObject[]>>();
  for (const one of await due(database)) {
    const health = await healthOf(one, folder, platformOf, lists);
    if (health !== undefined) await keep(database, one, health);
  }
}

/** Runtimes that should run and that no operation changes at the moment. */
async function due(database: Database): Promise<Looked[]> {
  const rows = await database
    .selectFrom("deployment")
    .leftJoin("health", "health.deploymentId", "deployment.id")
    .select([
      "deployment.id",
      "deployment.name",
      "deployment.tenant",
      "deployment.provisioner",
      "health.state as before",
    ])
    .select(sql<string>`deployment.wish ->> 'platform'`.as("platform"))
    .where("deployment.deletedAt", "is", null)
    .where("deployment.desiredState", "=", "running")
    .where("deployment.provisioner", "is not", null)
    .where(
      sql<boolean>`not exists (
        select from operation where deployment_id = deployment.id and state in ('pending', 'in_progress')
      )`,
    )
    .orderBy("health.checkedAt", (order) => order.asc().nullsFirst())
    .limit(MOST)
    .execute();
  return rows.map(({ provisioner, ...row }) => ({ ...row, provisioner: provisioner ?? "" }));
}

/** Undefined for a runtime that is in no cluster. */
async function healthOf(
  { id, platform, provisioner: name }: Looked,
  folder: string,
  platformOf: (name: string) => Promise<Platform>,
  lists: Map<string, Promise<readonly KubeObject[]>>,
): Promise<Health | undefined> {
  try {
    const provisioner = (await platformOf(platform)).provisioners[name];
    if (provisioner?.type !== "kubernetes") return undefined;
    const state = await withStore(folder, (store) => store.find(RUNTIME_PROJECT, id));
    const sets = state?.resources.filter(isSet) ?? [];
    const keys = sets.flatMap(({ outputs = {} }) => (outputs["inventory"] ?? []) as readonly string[]);
    const refs = keys.map((key) => parseInventoryKey(key)).filter(hasPods);
    const { kubeconfig, context } = provisioner;
    // All runtimes of a namespace are listed at once.
    const listed = (ref: Ref): Promise<readonly KubeObject[]> => {
      const key = JSON.stringify([platform, name, ref.apiVersion, ref.kind, ref.namespace]);
      const list =
        lists.get(key) ?? connect(kubeconfig, context, { patienceMs: PATIENCE_MS }).list({ ...without(ref) });
      lists.set(key, list);
      return list;
    };
    const found = await Promise.all(refs.map(async (ref) => [ref, await listed(ref)] as const));
    return judge(found.map(([ref, all]) => [ref, all.find(({ metadata }) => metadata.name === ref.name)]));
  } catch (error) {
    return { state: "unknown", reason: `the cluster could not be read: ${messageOf(error).split("\n")[0]}` };
  }
}

const without = ({ apiVersion, kind, namespace }: Ref): Omit<Ref, "name"> => ({ apiVersion, kind, namespace });

/** What its workloads say; the first that is not ready is the reason. Pure. */
export function judge(workloads: readonly (readonly [Ref, KubeObject | undefined])[]): Health {
  for (const [{ kind, name }, live] of workloads) {
    if (live === undefined) return { state: "unhealthy", reason: `${kind} ${name} is gone` };
    const { done, ...more } = rollout(live) as { done: boolean; progress?: string; failed?: string };
    if (!done) return { state: "unhealthy", reason: `${kind} ${name}: ${more.failed ?? more.progress ?? "not ready"}` };
  }
  return { state: "healthy", reason: null };
}

async function keep(
  database: Database,
  { id, name, tenant, before }: Looked,
  { state, reason }: Health,
): Promise<void> {
  const row = { state, reason, checkedAt: sql<Date>`now()` };
  await database
    .insertInto("health")
    .values({ deploymentId: id, ...row })
    .onConflict((conflict) => conflict.column("deploymentId").doUpdateSet(row))
    .execute();
  // That a cluster does not answer says nothing about its runtimes.
  if (state === "unknown" || state === before || (before !== "unhealthy" && state === "healthy")) return;
  const text = state === "healthy" ? "its pods are ready again" : (reason ?? "its pods are not ready");
  await notice(database, {
    kind: "health",
    level: state === "healthy" ? "info" : "warning",
    tenant,
    subject: name,
    text,
  });
}
