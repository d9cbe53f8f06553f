import { isDeepStrictEqual } from "node:util";
import type { RuntimeChange } from "../../../engine/stack/change";
import { platformReference } from "../../../engine/stack/names";
import { hideSecretValues } from "../../../engine/stack/secretValues";
import { messageOf } from "../../../foundation/errors";
import { isObject } from "../../../foundation/json/isObject";
import { without } from "../../../kubernetes/objects/objects";
import { clusterNameOf } from "../../database/queries/clusterNames";
import type { DeploymentRow, OperationRow } from "../../database/tables";
import { KINDS, upgradesKyma } from "../../kinds/kinds";
import { CLUSTER_NAME } from "../../operations/limits/clusterName";
import { OperationError } from "../../operations/error";
import type { OperationInput, Caller } from "../../operations/input";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { MutationIssueRuntimeKubeconfigArgs } from "../schema.types";
import { change, kymaUpgrade, provisioning, reprovisioning, shootUpgrade } from "./asked";
import { guardedFields, runtimeOf } from "./guard";
import { checkHibernation } from "./hibernation";
import { kymaIn } from "./present";
import { kymaOf } from "./request";
import { checkUpgrade } from "./input/rules";

/** Gardener's limits and our default, in seconds. */
const LIFE = { least: 600, most: 86_400, usual: 3600 } as const;
/** A user waits for the response, but the kubeconfig is all that it contains. */
const WITHIN_MS = 10_000;

/**
 * Issues a short-lived kubeconfig for the cluster of a runtime. Viewers only get a viewer's kubeconfig. The grant is
 * recorded in the audit trail before the kubeconfig is returned.
 */
async function issueKubeconfig(
  { id, role, expirationSeconds }: MutationIssueRuntimeKubeconfigArgs,
  caller: Caller,
  context: ApiContext,
) {
  const { backend, runtimes } = context;
  const [wanted, life] = [role ?? "viewer", expirationSeconds ?? LIFE.usual];
  if (life < LIFE.least || life > LIFE.most) {
    const reason = `found ${life}; expected a number of seconds from ${LIFE.least} to ${LIFE.most}`;
    throw new ApiError({ code: "BAD_INPUT", path: "expirationSeconds", reason });
  }
  const row = await runtimeOf(id, caller, context);
  if (wanted === "admin" && caller.role === "viewer") {
    await backend.refused(caller, "issueRuntimeKubeconfig", id);
    throw new ApiError({ code: "FORBIDDEN", path: "role", reason: "a viewer may have the role viewer only" });
  }
  if (row.deletedAt !== null) throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "the runtime is deleted" });
  if (runtimes.shoots === undefined) throw unavailable("the service has no way to Gardener");
  const asked = { role: wanted, expirationSeconds: life };
  const issued = await runtimes.shoots.issue(row, asked, WITHIN_MS).catch((error: unknown) => {
    throw unavailable(`Gardener issued none: ${messageOf(error)}`);
  });
  const expiresAt = new Date(issued.expires);
  const details = { role: wanted, expiresAt: expiresAt.toISOString() };
  await backend.granted(caller, { action: "issueRuntimeKubeconfig", target: id, details });
  return { kubeconfig: issued.kubeconfig, role: wanted, expiresAt };
}

const unavailable = (reason: string): ApiError =>
  new ApiError({ code: "UNAVAILABLE", component: "gardener", reason, retryable: true });

/** Label in which the Kyma Environment Broker gives the id of what it provisions. */
const INSTANCE = "broker_instance_id";

/**
 * Returns the operation that provisions the runtime of this request already: the answer to the first request was lost.
 * Undefined if the cluster is free, or belongs to another runtime.
 */
async function repeated(
  { change }: OperationInput,
  { tenant }: Caller,
  { backend: { reads } }: ApiContext,
): Promise<OperationRow | undefined> {
  if (change?.platform === undefined) return undefined;
  const cluster = clusterNameOf({ ...change, platform: platformReference(change.platform) });
  const holder = cluster && (await reads.deploymentOfCluster(cluster));
  if (holder?.tenant !== tenant || holder.desiredState === "absent") return undefined;
  const { nodes } = await reads.operations({ tenant, filter: { deployment: holder.name, kind: ["provision"] } });
  const [provisioning] = nodes;
  return provisioning && isSame(provisioning.change, change) ? provisioning : undefined;
}

/**
 * The broker chooses the zones and the end of the runtime's name at random for each request, so its id decides where both
 * requests have it. Pure.
 */
export function isSame(before: RuntimeChange, now: RuntimeChange): boolean {
  const [old, next] = [before, now].map(({ deployment }) => partsOf(hideSecretValues({ deployment }).deployment));
  if (old?.instance !== undefined && next?.instance !== undefined) return old.instance === next.instance;
  return isDeepStrictEqual(old, next);
}

function partsOf(deployment: unknown) {
  const { runtime, ...rest } = isObject(deployment) ? deployment : {};
  const described = isObject(runtime) ? without(runtime, "name") : {};
  const labels = described["labels"];
  const instance = isObject(labels) ? labels[INSTANCE] : undefined;
  return { ...rest, runtime: described, instance: typeof instance === "string" ? instance : undefined };
}

async function request(asked: OperationInput, caller: Caller, { backend, log }: ApiContext): Promise<OperationRow> {
  const operation = await backend.changes.request(asked, caller);
  const { id, kind, deploymentId } = operation;
  log.info({ operation: id, runtime: deploymentId, kind }, "accepted");
  return operation;
}

/** A repeated request returns the operation of the first one, which may be in progress or have ended. */
async function provision(asked: OperationInput, caller: Caller, context: ApiContext): Promise<OperationRow> {
  const known = await repeated(asked, caller, context);
  if (known) return known;
  try {
    return await request(asked, caller, context);
  } catch (error) {
    const isTaken = error instanceof OperationError && error.path === CLUSTER_NAME;
    const first = isTaken ? await repeated(asked, caller, context) : undefined; // Both came at once.
    if (first) return first;
    throw error;
  }
}

/** Returns the operation that deprovisioned a runtime, if it was the last operation and succeeded. */
async function deprovisioned(row: DeploymentRow, { backend }: ApiContext): Promise<OperationRow | undefined> {
  if (row.deletedAt === null) return undefined;
  const [newest] = await backend.reads.newest([row.id]);
  return newest && KINDS[newest.kind].deletes ? newest : undefined;
}

/** Returns the last operation that changed Kyma. */
async function lastUpgrade(
  { name, tenant }: DeploymentRow,
  { backend }: ApiContext,
): Promise<OperationRow | undefined> {
  const { nodes } = await backend.reads.operations({ tenant, filter: { deployment: name, kind: ["update"] } });
  return nodes.find(upgradesKyma);
}

function missing(path: string, reason: string): never {
  throw new ApiError({ code: "BAD_INPUT", component: "input", path, reason });
}

export const mutations = guardedFields(
  {
    provisionRuntime: async ({ config }, caller, context) =>
      provision(await provisioning(config, caller, context), caller, context),

    reprovisionRuntime: async ({ id, config }, caller, context) => {
      const row = await runtimeOf(id, caller, context);
      return request(await reprovisioning(row, config ?? undefined, caller, context), caller, context);
    },

    upgradeRuntime: async ({ id, config }, caller, context) => {
      const row = await runtimeOf(id, caller, context);
      checkUpgrade(config);
      if (!kymaIn(row)) missing("id", "the runtime has no Kyma; expected one that was provisioned with kymaConfig");
      return request(kymaUpgrade(row, kymaOf(config.kymaConfig)), caller, context);
    },

    deprovisionRuntime: async ({ id }, caller, context) => {
      const row = await runtimeOf(id, caller, context);
      const done = await deprovisioned(row, context);
      // Clients of the original deprovision a runtime whose provisioning failed, whatever was created of it.
      const asked = { ...change(row, "deprovision"), mayBeGone: true };
      return (done ?? (await request(asked, caller, context))).id;
    },

    upgradeShoot: async ({ id, config }, caller, context) =>
      request(shootUpgrade(await runtimeOf(id, caller, context), config), caller, context),

    hibernateRuntime: async ({ id }, caller, context) => {
      const row = await runtimeOf(id, caller, context);
      await checkHibernation(row, context);
      return request(change(row, "hibernate"), caller, context);
    },

    wakeRuntime: async ({ id }, caller, context) =>
      request(change(await runtimeOf(id, caller, context), "wake"), caller, context),

    rollBackUpgradeOperation: async ({ id }, caller, context) => {
      const row = await runtimeOf(id, caller, context);
      return context.backend.changes.rollBackRecord(row.name, caller);
    },

    rollBackRuntime: async ({ id }, caller, context) => {
      const row = await runtimeOf(id, caller, context);
      const upgrade = await lastUpgrade(row, context);
      const kyma = upgrade?.previousConfig && kymaIn({ desiredConfig: upgrade.previousConfig });
      if (!kyma) missing("id", "Kyma of this runtime was never upgraded; expected an upgrade to roll back");
      return request(kymaUpgrade(row, kyma), caller, context);
    },

    issueRuntimeKubeconfig: (args, caller, context) => issueKubeconfig(args, caller, context),

    reconnectRuntimeAgent: async ({ id }, caller, context) =>
      (await request(change(await runtimeOf(id, caller, context), "refresh"), caller, context)).id,
  },
  true,
);
