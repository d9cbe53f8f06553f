import type { EksConfig } from "../eksConfig";
import { AUTOSCALER_TAINT, isAutoscalers, type NodePoolConfig } from "../../nodePool/plan";
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
  const { network, nodePools, addonVersions, addonValues, addons, ami, lock, ...rest } = input;
  const { existing, serviceCidr, cidr = "10.0.0.0/16", zones = 3, nat = "perZone" } = network;
  const pools = Object.fromEntries(
    Object.entries(nodePools).map(([name, pool]) => [name, resolvePool(pool, userData[name])]),
  );
  const hasOwn = Object.values(pools).some(({ taints }) => taints.some(isAutoscalers));
  return {
    ...rest,
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
    nodePools: withImages(hasOwn ? pools : { ...pools, [AUTOSCALER]: AUTOSCALER_POOL }, ami),
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
