import { JSONObjectResolver } from "graphql-scalars";
import { GraphQLScalarType } from "graphql";
import type { DeploymentRow, OperationRow } from "../../database/tables";
import { operationType } from "../../kinds/kinds";
import type { ApiContext } from "../context";
import type { OperationStatusResolvers, RuntimeConfigResolvers, RuntimeStatusResolvers } from "../schema.types";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { isHibernated, violated } from "../../../kubernetes/gardener/shoot";
import { POSSIBLE } from "./hibernation";
import { clusterConfigOf, kymaConfigOf, kymaIn } from "./present";
import { lastErrorOf, messageOf, stateOf } from "./status";

/** The status must return complete and within this time, even while Gardener is slow or unavailable. */
const WITHIN_MS = 1_500;
/** Kyma Environment Broker tries again only after a minute, and waits two minutes for an answer. */
const KUBECONFIG_WITHIN_MS = 10_000;

const { parseValue, parseLiteral, serialize } = JSONObjectResolver;

export const Labels = new GraphQLScalarType({ name: "Labels", parseValue, parseLiteral, serialize });

const hasKyma = async ({ deploymentId }: OperationRow, { loaders }: ApiContext): Promise<boolean> => {
  const row = await loaders.deployment.load(deploymentId);
  return row !== undefined && kymaIn(row) !== undefined;
};

export const OperationStatus: OperationStatusResolvers = {
  id: ({ id, past }) => past?.id ?? id,
  operation: async (row, _args, context) => row.past?.operation ?? operationType(row, await hasKyma(row, context)),
  state: stateOf,
  message: messageOf,
  runtimeID: async ({ deploymentId }, _args, { loaders }) =>
    (await loaders.deployment.load(deploymentId))?.name ?? deploymentId,
  compassRuntimeID: () => null,
  lastError: ({ error, state, past }) => past?.lastError ?? lastErrorOf(state === "succeeded" ? null : error),
};

export const RuntimeStatus: RuntimeStatusResolvers = {
  lastOperationStatus: async ({ id }, _args, { loaders }) => (await loaders.newestOperation.load(id)) ?? null,
  runtimeConnectionStatus: ({ outputs }) => connectionOf(outputs),
  runtimeConfiguration: (row) => row,
  hibernationStatus: async (row, _args, { runtimes }) =>
    hibernationOf(row, await runtimes.shoots?.soon(row, WITHIN_MS)),
};

const CONNECTIONS = ["Pending", "Connected", "Disconnected"] as const;

function connectionOf(outputs: DeploymentRow["outputs"]) {
  const status = CONNECTIONS.find((each) => each === outputs["agentConnection"]) ?? "Pending";
  return { status, errors: null };
}

/** Prefers Gardener's live status, and falls back to the outputs of the last operation. */
function hibernationOf({ outputs: { state } }: DeploymentRow, shoot: KubeObject | undefined) {
  if (shoot) {
    return { hibernated: isHibernated(shoot), hibernationPossible: violated(shoot, POSSIBLE) === undefined };
  }
  return { hibernated: state === undefined ? null : state === "hibernated", hibernationPossible: null };
}

export const RuntimeConfig: Pick<RuntimeConfigResolvers, "clusterConfig" | "kymaConfig" | "kubeconfig"> = {
  clusterConfig: clusterConfigOf,
  kymaConfig: kymaConfigOf,
  kubeconfig: async (row, _args, context) => {
    const { role } = context.tenantCaller();
    if (role === "viewer" || row.deletedAt !== null) return null;
    return (await context.runtimes.shoots?.kubeconfig(row, KUBECONFIG_WITHIN_MS)) ?? null;
  },
};
