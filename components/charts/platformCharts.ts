import * as pulumi from "@pulumi/pulumi";
import type { PlatformConfig } from "../platform/config/platformConfig";
import type { StateResources } from "../resources/ownState";
import { runningOf } from "../resources/running";
import { bringCharts, ChartsError } from "./bring";
import type { Charts } from "./charts";

/** A platform's config without the components that are left out, and the charts of the others. */
export interface WithCharts {
  readonly config: PlatformConfig;
  readonly charts: Charts;
  /** Why a component is left out, by its config key; undefined when none is. */
  readonly leftOut?: Readonly<Record<string, string>>;
}

/**
 * Brings the charts that the config asks for before the program registers anything. An optional component whose chart
 * can't be had is left out, with a warning in the summary; one that is running is never left out, since that would
 * remove it. `state` is the stack's as it was before this run.
 */
export async function withCharts(config: PlatformConfig, state: Promise<StateResources>): Promise<WithCharts> {
  if (config.charts.wanted.length === 0) return { config, charts: { archives: {} } };
  const { archives, crds, leftOut, warnings } = await bringCharts(config.charts).catch((error: unknown) => {
    throw error instanceof ChartsError ? new pulumi.RunError(error.message) : error;
  });
  for (const warning of warnings) await pulumi.log.warn(warning);
  if (leftOut.length === 0) return { config, charts: { archives, crds } };

  const running = runningOf(
    leftOut.map(({ wanted }) => wanted.token),
    await state,
  );
  if (running.size > 0) {
    const reasons = leftOut.filter(({ wanted }) => running.has(wanted.token));
    throw new pulumi.RunError(
      reasons
        .map(({ wanted, why }) => `stackyard:${wanted.component}: ${why}; it is running, and leaving it out removes it`)
        .join("\n"),
    );
  }
  for (const { wanted, why } of leftOut) {
    await pulumi.log.warn(`stackyard:${wanted.component} is left out, because it is optional and ${why}`);
  }
  const gone = Object.fromEntries(leftOut.map(({ wanted }) => [wanted.component, undefined]));
  return {
    config: { ...config, ...gone },
    charts: { archives, crds },
    leftOut: Object.fromEntries(leftOut.map(({ wanted, why }) => [wanted.component, why])),
  };
}
