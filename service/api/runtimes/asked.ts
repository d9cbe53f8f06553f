import { randomUUID } from "node:crypto";
import type { DeploymentChange, RuntimeChange } from "../../../engine/stack/change";
import type { DeploymentRow } from "../../database/tables";
import type { OperationKind } from "../../kinds/kinds";
import type { OperationInput, Caller } from "../../operations/input";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { ProvisionRuntimeInput, UpgradeShootInput } from "../schema.types";
import { mergeCluster } from "./input/merge";
import { clusterOf, kymaIn } from "./present";
import { deploymentOf } from "./request";
import { checkProvisioning, checkShootUpgrade } from "./input/rules";

/** Checks the request by the API's own rules, then chooses the provisioner. */
export async function provisioning(
  config: ProvisionRuntimeInput,
  { tenant }: Caller,
  context: ApiContext,
): Promise<OperationInput> {
  checkProvisioning(config);
  const { subAccount, defaultPlatform: platform, runtimes } = context;
  const provisioner = await provisionerOf(context);
  const asked = deploymentOf(config, { tenant, subAccount }, runtimes.defaults);
  const change = { deployment: { ...asked, provisioner }, platform };
  // The stack has the id too, as Kyma reads it from annotations of the Shoot; it is random, so it reveals nothing.
  return { deployment: randomUUID(), kind: "provision", change, stackNaming: "id" };
}

/** Creates a deprovisioned runtime again, with its old configuration or the requested one. */
export async function reprovisioning(
  row: DeploymentRow,
  config: ProvisionRuntimeInput | undefined,
  caller: Caller,
  context: ApiContext,
): Promise<OperationInput> {
  if (config) return { ...(await provisioning(config, caller, context)), deployment: row.name, alone: true };
  const { platform, deployment } = row.desiredConfig as RuntimeChange;
  // A new cluster always starts awake, even if the old one was hibernated when it was deleted.
  const before = { ...deployment, state: "running" as const };
  return { deployment: row.name, kind: "provision", change: { deployment: before, platform }, alone: true };
}

/**
 * Returns the provisioner that the service's environment names, or else the platform's only provisioner of type
 * gardener.
 */
async function provisionerOf({ backend, runtimes, defaultPlatform }: ApiContext): Promise<string> {
  if (runtimes.provisioner !== undefined) return runtimes.provisioner;
  const all = await backend.reads.provisioners();
  const names = all.filter(({ platform, type }) => platform === defaultPlatform && type === "gardener");
  const [only, ...others] = names.map(({ name }) => name);
  if (only !== undefined && others.length === 0) return only;
  const found = names.length === 0 ? "none" : names.map(({ name }) => name).join(", ");
  const reason = `platform ${defaultPlatform} has ${names.length} provisioners of type gardener: ${found}; expected one, or APP_GARDENER_PROVISIONER with the name of one`;
  throw new ApiError({ code: "UNAVAILABLE", component: "platform", reason, retryable: false });
}

/** Changes the stored cluster of a runtime. Rejected if another request changed it in between. */
export function shootUpgrade(row: DeploymentRow, config: UpgradeShootInput): OperationInput {
  checkShootUpgrade(config);
  const cluster = mergeCluster(clusterOf(row) ?? {}, config);
  const kyma = kymaIn(row);
  // A rollback of the record restores Kyma only in the database. Including it here applies it to the cluster.
  const deployment = { cluster, ...(kyma && { kyma }) } as DeploymentChange;
  return { ...change(row, "update", deployment), revision: row.revision };
}

/** Rejected while another operation of the runtime is in progress. */
export const change = (
  { name }: DeploymentRow,
  kind: OperationKind,
  deployment: DeploymentChange = {},
): OperationInput => ({
  deployment: name,
  kind,
  change: { deployment },
  alone: true,
});

/** Changes the Kyma configuration. */
export const kymaUpgrade = (row: DeploymentRow, kyma: unknown): OperationInput =>
  change(row, "update", { kyma } as DeploymentChange);
