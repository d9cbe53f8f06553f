import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { AUTOSCALER_TAINT, isAutoscalers, type NodePoolConfig } from "../../cluster/nodePool/plan";
import { KARPENTER_POOL, type NodesMode } from "../../cluster/nodePool/pools";
import type { ImportedResource } from "../../cluster/onEks/eksImports";
import { NO_LOCK, type EksLock } from "../../cluster/onEks/eksLock";
import { DEFAULT_CIDR } from "./networkSchema";
import type { NodePoolInput } from "./nodePoolSchema";
import { karpenterSchema, type EksInput } from "./schema";

/** Name of the pool that is created for the autoscaler. */
export const AUTOSCALER = "autoscaler";

/** Created if no pool is reserved for the autoscaler, which must not run on nodes that it removes. */
const AUTOSCALER_POOL: NodePoolConfig = {
  instanceTypes: ["t3.medium", "t3a.medium"],
  capacity: "onDemand",
  min: 1,
  max: 2,
  desired: 1,
  diskGb: 20,
  labels: {},
  taints: [AUTOSCALER_TAINT],
  os: "al2023",
  perZone: false,
  maxUnavailablePercent: 100,
  forceUpdate: false,
  securityGroupIds: [],
};

/** Two nodes in different zones, for Karpenter and the add-ons that it depends on. */
const KARPENTERS_POOL: NodePoolConfig = {
  ...AUTOSCALER_POOL,
  instanceTypes: ["t3.large", "t3a.large"],
  min: 2,
  max: 3,
  desired: 2,
  diskGb: 30,
  taints: [],
  maxUnavailablePercent: 50,
};

/** Adds the pool for the autoscaler or Karpenter, if the config has none. */
function withOwn(nodes: NodesMode, pools: Readonly<Record<string, NodePoolConfig>>) {
  if (nodes === "auto") return pools;
  if (nodes === "karpenter") return { [KARPENTER_POOL]: KARPENTERS_POOL, ...pools };
  const hasOwn = Object.values(pools).some(({ taints }) => taints.some(isAutoscalers));
  return hasOwn ? pools : { ...pools, [AUTOSCALER]: AUTOSCALER_POOL };
}

export const resolvePool = (pool: NodePoolInput, userData?: string): NodePoolConfig => {
  const { userData: file, ...rest } = pool;
  const desired = pool.desired ?? pool.min;
  return { ...rest, desired, ...(file !== undefined && userData !== undefined && { userData }) };
};

/** Resolves a cluster's config: sets defaults that depend on other parts. */
export function resolveEks(
  input: EksInput,
  recorded: EksLock = NO_LOCK,
  userData: Readonly<Record<string, string>> = {},
  imports: readonly ImportedResource[] = [],
): EksConfig {
  const { network, nodePools, addonVersions, addonValues, addons, ami, lock, nodes, karpenter, ...rest } = input;
  const { existing, serviceCidr, cidr = DEFAULT_CIDR, zones = 3, nat = "perZone", routes } = network;
  const pools = Object.fromEntries(
    Object.entries(nodePools).map(([name, pool]) => [name, resolvePool(pool, userData[name])]),
  );
  return {
    ...rest,
    nodes,
    ...(nodes === "karpenter" && { karpenter: karpenter ?? karpenterSchema.parse({}) }),
    network: { serviceCidr, ...(existing ? { existing } : { make: { cidr, zones, nat, routes } }) },
    addonVersions: {
      ...(addonVersions as Readonly<Record<string, string>>),
      ...given(addons, ({ version }) => version),
    },
    addonValues: { ...(addonValues as EksConfig["addonValues"]), ...given(addons, ({ values }) => values) },
    moreAddons: addons,
    lock: recorded,
    lockRequired: lock === "required",
    imports,
    nodePools: withImages(withOwn(nodes, pools), ami),
  };
}

/** The pools, with the cluster's `ami` as the default. */
const withImages = (
  pools: Readonly<Record<string, NodePoolConfig>>,
  ami: NodePoolConfig["ami"],
): Record<string, NodePoolConfig> =>
  Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [
      name,
      ami === undefined || pool.amiId !== undefined ? pool : { ...pool, ami: pool.ami ?? ami },
    ]),
  );

/** Collects a setting of the add-ons that have it, by add-on. */
const given = <T>(
  addons: EksInput["addons"],
  of: (addon: EksInput["addons"][string]) => T | undefined,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(addons).flatMap(([name, addon]) => {
      const value = of(addon);
      return value === undefined ? [] : [[name, value]];
    }),
  );
