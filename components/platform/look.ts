import type { ClusterConfig } from "../cluster/clusterConfig";
import type { Feature } from "../feature";
import { FEATURES } from "../features";
import type { StateResources } from "../resources/ownState";
import { warnOfDisabled } from "./checks/disabled";
import { checkNodes } from "./checks/existingNodes";
import { checkReleases, refuseGone, type Releases } from "./checks/otherReleases";
import { withCharts, type WithCharts } from "./checks/platformCharts";
import { checkRemoval } from "./checks/removal";
import { checkClusters } from "./checks/sameClusters";
import type { PlatformConfig } from "./config/platformConfig";
import { placedPods, plannedReleases } from "./facts";

type Found = WithCharts & Releases;

/**
 * Asks all that has to be known before anything is registered: what runs on the cluster, who uses what is removed, and
 * charts, which it fetches. Changes nothing; throws a RunError.
 */
export async function lookAround(config: PlatformConfig, state: Promise<StateResources>): Promise<Found> {
  const [found] = await Promise.all([
    lookFor(FEATURES, config, state, config.cluster),
    warnOfDisabled(config.disabled, state),
    checkRemoval(config, state),
    checkClusters(config, state),
  ]);
  // In another cluster, which has been refused by now, all of them would be gone.
  refuseGone(found);
  return found;
}

/** Asks what features need. `cluster`: the one to ask, if it exists. */
export async function lookFor(
  features: readonly Feature[],
  config: PlatformConfig,
  state: Promise<StateResources>,
  cluster: ClusterConfig | undefined,
): Promise<Found> {
  const [releases, found] = await Promise.all([
    checkReleases(cluster, plannedReleases(config, features), state),
    withCharts(config, state),
    checkNodes(cluster, placedPods(config, features)),
    ...features.map((one) => one.look?.(config, state)),
  ]);
  return { ...found, ...releases };
}
