import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { DeploymentChange, RuntimeChange } from "../../../engine/stack/change";
import { isObject } from "../../../foundation/json/isObject";
import type { DeploymentRow } from "../../database/tables";
import type { OperationKind } from "../../kinds/kinds";
import type { OperationInput, Caller } from "../../operations/input";
import type { Backend } from "../backend";
import type { ApiContext, RuntimeSettings, Stored } from "../context";
import { ApiError } from "../errors";
import type { ProvisionRuntimeInput, UpgradeShootInput } from "../schema.types";
import { clusterOf, kymaIn } from "./present";
import { deploymentOf, namedOnly, plain } from "./request";
import { checkProvisioning, checkShootUpgrade } from "./input/rules";

/**
 * Merges the input of `upgradeShoot` into the stored cluster. Fields that are not given keep their values, including
 * administrators and the control plane's failure tolerance. Throws if a zone would change. Pure.
 */
export function mergeCluster(stored: Stored, { gardenerConfig, administrators }: UpgradeShootInput): Stored {
  const { providerSpecificConfig: provider, ...given } = plain(gardenerConfig) as Stored;
  return {
    ...stored,
    ...given,
    ...(isObject(provider) && { providerSpecificConfig: mergeProvider(stored["providerSpecificConfig"], provider) }),
    ...(administrators && { administrators: namedOnly(administrators) }),
  };
}

function mergeProvider(stored: unknown, given: Stored): Stored {
  const before = isObject(stored) ? stored : {};
  for (const [block, config] of Object.entries(given)) {
    if (!isObject(before[block])) refuse(block, `the cluster has ${Object.keys(before).join(", ") || "none"}`);
    checkFixed(block, before[block], config as Stored);
    checkZones(block, before[block], config as Stored);
  }
  return Object.fromEntries(
    Object.entries(before).map(([block, config]) => [
      block,
      isObject(given[block]) && isObject(config) ? { ...config, ...given[block] } : config,
    ]),
  );
}

/** Fields that never change in a cluster, by block. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  azureConfig: ["vnetCidr"],
  awsConfig: ["vpcCidr", "zone", "publicCidr", "internalCidr"],
  openStackConfig: ["floatingPoolName", "cloudProfileName"],
};

function checkFixed(block: string, before: Stored, after: Stored): void {
  for (const field of FIXED[block] ?? []) {
    const [had, found] = [before[field], after[field]];
    if (had === undefined || found === undefined || had === found) continue;
    refuse(`${block}.${field}`, `found ${JSON.stringify(found)}, and the cluster has ${JSON.stringify(had)} for good`);
  }
  const { zones: found } = after;
  const had = Array.isArray(before["zones"]) ? before["zones"] : [];
  if (!Array.isArray(found) || (had.length > 0 && isDeepStrictEqual(found.slice(0, had.length), had))) return;
  const rule = had.length === 0 ? "a cluster without zones can't get any" : "a new zone can only be the last one";
  refuse(`${block}.zones`, `found ${found.join(", ")}, and the cluster has ${had.join(", ") || "none"}: ${rule}`);
}

/** Field with the subnets per zone, by block. */
const SUBNETS: Readonly<Record<string, string>> = { azureConfig: "azureZones", awsConfig: "awsZones" };

/** Gardener can neither change the subnet of a zone nor add a zone to an existing cluster. */
function checkZones(block: string, before: Stored, after: Stored): void {
  const field = SUBNETS[block] ?? "";
  const old = zonesIn(before[field]);
  for (const [index, zone] of zonesIn(after[field]).entries()) {
    const path = `${block}.${field}[${index}]`;
    const same = old.find(({ name }) => name === zone["name"]);
    if (!same) refuse(path, `extension of the zones by ${String(zone["name"])} is not supported`);
    if (!isDeepStrictEqual({ ...same }, { ...zone }))
      refuse(path, `the ranges of zone ${String(zone["name"])} can't change`);
  }
  if (after[field] === undefined) return;
  const kept = zonesIn(after[field]).map(({ name }) => name);
  const gone = old.find(({ name }, index) => kept[index] !== name);
  if (gone) refuse(`${block}.${field}`, `zone ${String(gone["name"])} is missing or not at its place`);
}

const zonesIn = (value: unknown): readonly Stored[] => (Array.isArray(value) ? value.filter(isObject) : []);

function refuse(at: string, reason: string): never {
  const path = `gardenerConfig.providerSpecificConfig.${at}`;
  throw new ApiError({ code: "BAD_INPUT", component: "input", path, reason: `${path}: ${reason}` });
}

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

/** What the choice of a provisioner needs. */
export interface ProvisionerPlace {
  readonly backend: { readonly reads: Pick<Backend["reads"], "provisioners"> };
  readonly runtimes: Pick<RuntimeSettings, "provisioner">;
  readonly defaultPlatform: string;
}

/**
 * Returns the provisioner that the service's environment names, or else the platform's only provisioner of type
 * gardener.
 */
export async function provisionerOf({ backend, runtimes, defaultPlatform }: ProvisionerPlace): Promise<string> {
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
