import type { EksConfig } from "../eksConfig";
import { AUTOSCALER_TAINT, isAutoscalers, type NodePoolConfig } from "../../nodePool/plan";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";

/** Name of the pool that is made for the autoscaler. */
export const AUTOSCALER = "autoscaler";

/** Made where no pool is the autoscaler's own: it must not live on nodes that it takes away. */
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
};

export const resolvePool = (pool: NodePoolInput): NodePoolConfig => ({ ...pool, desired: pool.desired ?? pool.min });

/** Fills in what depends on other parts. */
export function resolveEks(input: EksInput): EksConfig {
  const { network, nodePools, addonVersions, addonValues, ...rest } = input;
  const { existing, serviceCidr, cidr = "10.0.0.0/16", zones = 3, nat = "perZone" } = network;
  const pools = Object.fromEntries(Object.entries(nodePools).map(([name, pool]) => [name, resolvePool(pool)]));
  const hasOwn = Object.values(pools).some(({ taints }) => taints.some(isAutoscalers));
  return {
    ...rest,
    network: { serviceCidr, ...(existing ? { existing } : { make: { cidr, zones, nat } }) },
    addonVersions: addonVersions as Readonly<Record<string, string>>,
    addonValues: addonValues as EksConfig["addonValues"],
    nodePools: hasOwn ? pools : { ...pools, [AUTOSCALER]: AUTOSCALER_POOL },
  };
}
