import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../../foundation/json/isObject";
import { ApiError } from "../../errors";
import type { UpgradeShootInput } from "../../schema.types";
import type { Stored } from "../../context";
import { plain } from "../request";

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
    ...(administrators && { administrators: [...administrators] }),
  };
}

function mergeProvider(stored: unknown, given: Stored): Stored {
  const before = isObject(stored) ? stored : {};
  for (const [block, config] of Object.entries(given)) {
    if (!isObject(before[block])) refuse(block, `the cluster has ${Object.keys(before).join(", ") || "none"}`);
    checkZones(block, before[block], config as Stored);
  }
  return Object.fromEntries(
    Object.entries(before).map(([block, config]) => [
      block,
      isObject(given[block]) && isObject(config) ? { ...config, ...given[block] } : config,
    ]),
  );
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
}

const zonesIn = (value: unknown): readonly Stored[] => (Array.isArray(value) ? value.filter(isObject) : []);

function refuse(at: string, reason: string): never {
  const path = `gardenerConfig.providerSpecificConfig.${at}`;
  throw new ApiError({ code: "BAD_INPUT", component: "input", path, reason: `${path}: ${reason}` });
}
