import type { Feature } from "../feature";
import { FEATURES } from "../features";
import type { StateResources } from "../resources/ownState";
import { warnOfDisabled } from "./checks/disabled";
import { checkNodes } from "./checks/existingNodes";
import { checkReleases } from "./checks/otherReleases";
import { withCharts, type WithCharts } from "./checks/platformCharts";
import { checkRemoval } from "./checks/removal";
import { checkClusters } from "./checks/sameClusters";
import type { PlatformConfig } from "./config/platformConfig";
import { placedPods, plannedReleases } from "./facts";

interface Found extends WithCharts {
  /** See `Site`. */
  readonly offered: readonly string[];
}

/**
 * Asks all that has to be known before anything is registered: what runs on the cluster, who uses what is removed, and
 * charts, which it fetches. Changes nothing; throws a RunError.
 */
export async function lookAround(config: PlatformConfig, state: Promise<StateResources>): Promise<Found> {
  const features: readonly Feature[] = FEATURES;
  const [offered, found] = await Promise.all([
    checkReleases(config.cluster, plannedReleases(config), state),
    withCharts(config, state),
    warnOfDisabled(config.disabled, state),
    checkRemoval(config, state),
    checkClusters(config, state),
    checkNodes(config.cluster, placedPods(config)),
    ...features.map((one) => one.look?.(config, state)),
  ]);
  return { ...found, offered };
}
