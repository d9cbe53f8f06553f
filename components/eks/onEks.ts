import type { ProviderResource } from "@pulumi/pulumi";
import { Cluster } from "../cluster/cluster";
import type { ClusterConfig } from "../cluster/clusterConfig";
import { withSteadyPools } from "../cluster/nodePool/placedPods";
import { runningGroups } from "../cluster/nodePool/size";
import type { Site } from "../contract/site";
import type { StateResources } from "../resources/ownState";
import { warnOfBudgets } from "./budgets";
import { refuseImpossibleChanges } from "./changes";
import { awsProvider, EksCluster } from "./eksCluster";
import { existingIdentity } from "./existing";
import { preflight } from "./preflight/preflight";
import { checkRoleNames } from "./preflight/roleNames";
import { knownVersions } from "./versions/known";

/** The cluster of a platform on EKS: an existing one, or one that is created. */
export async function clusterOnEks(name: string, config: ClusterConfig, site: Site): Promise<Cluster> {
  const state = await site.state;
  if (config.type === "existing") {
    const identity = config.eks && existingIdentity(`${name}-eks`, config.eks);
    await checkRoles(config, site, state, identity?.aws);
    return new Cluster(name, { existing: config.access, offered: site.offered, ...(identity && { identity }) });
  }
  refuseImpossibleChanges(state, config.eks);
  const aws = awsProvider(`${name}-eks`, config.eks);
  const [versions] = await Promise.all([
    knownVersions(config.eks, state, aws),
    preflight(config.eks, site.pods, state, aws),
    checkRoles(config, site, state, aws),
  ]);
  await warnOfBudgets(config.eks, state, versions.images);
  const args = { config: withSteadyPools(config.eks, site.pods), running: runningGroups(state), versions, aws };
  const made = new EksCluster(`${name}-eks`, args);
  const { kubeconfig, server, identity, nodeSource } = made;
  return new Cluster(name, { existing: { kubeconfig, server }, identity, nodeSource, made });
}

const checkRoles = (
  config: ClusterConfig,
  { roles }: Site,
  state: StateResources,
  aws: ProviderResource | undefined,
): Promise<void> => checkRoleNames(config, roles, Object.values(state), aws);
