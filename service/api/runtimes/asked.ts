import { randomUUID } from "node:crypto";
import type { DeploymentChange, RuntimeChange } from "../../../engine/stack/change";
import type { DeploymentRow, OperationKind } from "../../database/tables";
import type { OperationInput, Caller } from "../../operations/input";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { ProvisionRuntimeInput, UpgradeShootInput } from "../schema.types";
import { mergeCluster } from "./merge";
import { clusterOf, kymaIn } from "./present";
import { deploymentOf } from "./request";
import { checkProvisioning, checkShootUpgrade } from "./rules";

/** A new runtime: its own rules first, then the provisioner that creates it. */
export async function provisioning(
  config: ProvisionRuntimeInput,
  { tenant }: Caller,
  context: ApiContext,
): Promise<OperationInput> {
  checkProvisioning(config);
  const { subAccount, defaultPlatform: platform, runtimes } = context;
  const provisioner = await provisionerOf(context);
  const asked = deploymentOf(config, { tenant, subAccount }, runtimes.defaults);
  return { deployment: randomUUID(), kind: "provision", change: { deployment: { ...asked, provisioner }, platform } };
}

/** A runtime that was deprovisioned, again: as it was, or as is requested now. */
export async function reprovisioning(
  row: DeploymentRow,
  config: ProvisionRuntimeInput | undefined,
  caller: Caller,
  context: ApiContext,
): Promise<OperationInput> {
  if (config) return { ...(await provisioning(config, caller, context)), deployment: row.name, alone: true };
  const { platform, deployment } = row.desiredConfig as RuntimeChange;
  // A cluster that was asleep when it was deleted is created awake, as every new one.
  const before = { ...deployment, state: "running" as const };
  return { deployment: row.name, kind: "provision", change: { deployment: before, platform }, alone: true };
}

/** The provisioner that the service's environment names, else the platform's only one of type gardener. */
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

/** A change of the cluster of a runtime as it is stored now; refused if somebody was faster. */
export function shootUpgrade(row: DeploymentRow, config: UpgradeShootInput): OperationInput {
  checkShootUpgrade(config);
  const cluster = mergeCluster(clusterOf(row) ?? {}, config);
  const kyma = kymaIn(row);
  // What a roll-back of the record restored reaches the cluster with this.
  const deployment = { cluster, ...(kyma && { kyma }) } as DeploymentChange;
  return { ...change(row, "update", deployment), revision: row.revision };
}

/** Refused while an operation of the runtime is in progress. */
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

/** Another Kyma. */
export const kymaUpgrade = (row: DeploymentRow, kyma: unknown): OperationInput =>
  change(row, "update", { kyma } as DeploymentChange);
