import type { EksConfig } from "../eksConfig";
import { karpenterSchema } from "../../karpenter/schema";
import { AUTOSCALER_TAINT, isAutoscalers, type NodePoolConfig } from "../../nodePool/plan";
import { KARPENTER_POOL, type NodesMode } from "../../nodePool/pools";
import { NO_LOCK, type EksLock } from "../versions/lock";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";

/** Name of the pool that is made for the autoscaler. */
export const AUTOSCALER = "autoscaler";

/** Made where no pool is the autoscaler's own: it must not live on nodes that it removes. */
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

/** Two nodes for Karpenter, in different zones, and for the add-ons that it waits for. */
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

/** The pools with the one that who scales them needs, where the config has none. */
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

/** Fills in what depends on other parts. */
export function resolveEks(
  input: EksInput,
  recorded: EksLock = NO_LOCK,
  userData: Readonly<Record<string, string>> = {},
): EksConfig {
  const { network, nodePools, addonVersions, addonValues, addons, ami, lock, nodes, karpenter, ...rest } = input;
  const { existing, serviceCidr, cidr = "10.0.0.0/16", zones = 3, nat = "perZone" } = network;
  const pools = Object.fromEntries(
    Object.entries(nodePools).map(([name, pool]) => [name, resolvePool(pool, userData[name])]),
  );
  return {
    ...rest,
    nodes,
    ...(nodes === "karpenter" && { karpenter: karpenter ?? karpenterSchema.parse({}) }),
    network: { serviceCidr, ...(existing ? { existing } : { make: { cidr, zones, nat } }) },
    addonVersions: {
      ...(addonVersions as Readonly<Record<string, string>>),
      ...given(addons, ({ version }) => version),
    },
    addonValues: { ...(addonValues as EksConfig["addonValues"]), ...given(addons, ({ values }) => values) },
    moreAddons: Object.fromEntries(
      Object.entries(addons).map(([name, { roleArn, serviceAccount }]) => [
        name,
        { ...(roleArn !== undefined && { roleArn }), ...(serviceAccount !== undefined && { serviceAccount }) },
      ]),
    ),
    lock: recorded,
    lockRequired: lock === "required",
    nodePools: withImages(withOwn(nodes, pools), ami),
  };
}

/** The pools, those that do not say which release of their image they want with the cluster's choice. */
const withImages = (
  pools: Readonly<Record<string, NodePoolConfig>>,
  ami: NodePoolConfig["ami"],
): Record<string, NodePoolConfig> =>
  Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [name, ami === undefined ? pool : { ...pool, ami: pool.ami ?? ami }]),
  );

/** What some of the add-ons say, by their names. */
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
