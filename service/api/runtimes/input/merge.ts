import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../foundation/json/isObject";
import { ApiError } from "../../errors";
import type { UpgradeShootInput } from "../../schema.types";
import type { Stored } from "../../context";
import { namedOnly, plain } from "../request";

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
