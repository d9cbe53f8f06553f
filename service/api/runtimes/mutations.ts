import type { DeploymentRow, OperationRow } from "../../database/tables";
import { KINDS, upgradesKyma } from "../../kinds/kinds";
import { CLUSTER_NAME } from "../../operations/limits/clusterName";
import { OperationError } from "../../operations/error";
import type { OperationInput, Caller } from "../../operations/input";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type {
  MutationDeprovisionRuntimeArgs,
  MutationIssueRuntimeKubeconfigArgs,
  MutationProvisionRuntimeArgs,
  MutationReprovisionRuntimeArgs,
  MutationUpgradeRuntimeArgs,
  MutationUpgradeShootArgs,
} from "../schema.types";
import { change, kymaUpgrade, provisioning, reprovisioning, shootUpgrade } from "./asked";
import { guardedFields, runtimeOf } from "./guard";
import { checkHibernation } from "./hibernation";
import { issueKubeconfig } from "./kubeconfig";
import { kymaIn } from "./present";
import { repeated } from "./input/repeated";
import { kymaOf } from "./request";
import { checkUpgrade } from "./input/rules";

interface Id {
  readonly id: string;
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
    provisionRuntime: async ({ config }: MutationProvisionRuntimeArgs, caller: Caller, context: ApiContext) =>
      provision(await provisioning(config, caller, context), caller, context),

    reprovisionRuntime: async ({ id, config }: MutationReprovisionRuntimeArgs, caller: Caller, context: ApiContext) => {
      const row = await runtimeOf(id, caller, context);
      return request(await reprovisioning(row, config ?? undefined, caller, context), caller, context);
    },

    upgradeRuntime: async ({ id, config }: MutationUpgradeRuntimeArgs, caller: Caller, context: ApiContext) => {
      const row = await runtimeOf(id, caller, context);
      checkUpgrade(config);
      if (!kymaIn(row)) missing("id", "the runtime has no Kyma; expected one that was provisioned with kymaConfig");
      return request(kymaUpgrade(row, kymaOf(config.kymaConfig)), caller, context);
    },

    deprovisionRuntime: async ({ id }: MutationDeprovisionRuntimeArgs, caller: Caller, context: ApiContext) => {
      const row = await runtimeOf(id, caller, context);
      const done = await deprovisioned(row, context);
      // Clients of the original deprovision a runtime whose provisioning failed, whatever was created of it.
      const asked = { ...change(row, "deprovision"), mayBeGone: true };
      return (done ?? (await request(asked, caller, context))).id;
    },

    upgradeShoot: async ({ id, config }: MutationUpgradeShootArgs, caller: Caller, context: ApiContext) =>
      request(shootUpgrade(await runtimeOf(id, caller, context), config), caller, context),

    hibernateRuntime: async ({ id }: Id, caller: Caller, context: ApiContext) => {
      const row = await runtimeOf(id, caller, context);
      await checkHibernation(row, context);
      return request(change(row, "hibernate"), caller, context);
    },

    wakeRuntime: async ({ id }: Id, caller: Caller, context: ApiContext) =>
      request(change(await runtimeOf(id, caller, context), "wake"), caller, context),

    rollBackUpgradeOperation: async ({ id }: Id, caller: Caller, context: ApiContext) => {
      const row = await runtimeOf(id, caller, context);
      return context.backend.changes.rollBackRecord(row.name, caller);
    },

    rollBackRuntime: async ({ id }: Id, caller: Caller, context: ApiContext) => {
      const row = await runtimeOf(id, caller, context);
      const upgrade = await lastUpgrade(row, context);
      const kyma = upgrade?.previousConfig && kymaIn({ desiredConfig: upgrade.previousConfig });
      if (!kyma) missing("id", "Kyma of this runtime was never upgraded; expected an upgrade to roll back");
      return request(kymaUpgrade(row, kyma), caller, context);
    },

    issueRuntimeKubeconfig: (args: MutationIssueRuntimeKubeconfigArgs, caller: Caller, context: ApiContext) =>
      issueKubeconfig(args, caller, context),

    reconnectRuntimeAgent: async ({ id }: Id, caller: Caller, context: ApiContext) =>
      (await request(change(await runtimeOf(id, caller, context), "refresh"), caller, context)).id,
  },
  true,
);
