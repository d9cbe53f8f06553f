/** Determines the pools of Karpenter or EKS Auto Mode whose nodes an update replaces. Pure. */

import { canonicalJson } from "../../foundation/json/canonicalJson";
import { isObject, type Json } from "../../foundation/json/isObject";
import type { StateResource } from "../resources/ownState";
import { AUTO_CLASS } from "./autoMode/autoMode";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { claimedPools } from "../cluster/nodePool/pools";
import { EC2_CLASS, imageAlias, nodePoolManifests } from "../cluster/onEks/nodePoolManifests";

const CLUSTER = "aws:eks/cluster:Cluster";

/**
 * Names of the pools whose nodes get another minor version, image or template without `forceUpdate`. Skips pools that
 * are new.
 */
export function driftingPools(
  config: EksConfig,
  state: Readonly<Record<string, StateResource>>,
  releases: Readonly<Record<string, string>> = {},
): string[] {
  const resources = Object.values(state);
  const before = resources.find(({ type }) => type === CLUSTER)?.outputs["version"];
  const objects = resources.flatMap(({ type, outputs }) =>
    type.endsWith(":ManifestSet") ? [outputs["objects"]].flat() : [],
  );
  const named = (kind: string, name: string): Json | undefined =>
    objects.filter(isObject).find((one) => one["kind"] === kind && at(one, "metadata", "name") === name);
  const templates = new Map(
    (config.nodes === "managed" ? [] : nodePoolManifests(config, config.nodes === "auto" ? AUTO_CLASS : EC2_CLASS)).map(
      (one) => [at(one, "metadata", "name"), at(one, "spec", "template")],
    ),
  );
  return Object.entries(claimedPools(config)).flatMap(([name, pool]) => {
    const running = named("NodePool", name);
    if (running === undefined || pool.forceUpdate) return [];
    const [image] = [at(named(EC2_CLASS.kind, name), "spec", "amiSelectorTerms")].flat();
    const alias = at(image, "alias");
    const drifts =
      (before !== undefined && before !== config.version) ||
      (alias !== undefined && alias !== imageAlias(pool.os, releases[name])) ||
      canonicalJson(at(running, "spec", "template")) !== canonicalJson(templates.get(name));
    return drifts ? [name] : [];
  });
}

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);
