import * as pulumi from "@pulumi/pulumi";
import type { PlatformConfig } from "../platform/config/platformConfig";
import type { StateResources } from "../resources/ownState";
import { runningOf } from "../resources/running";
import { fetchCharts, ChartsError } from "./fetchCharts";
import type { Charts } from "./charts";

/** A platform's config without the skipped components, and the charts of the others. */
export interface WithCharts {
  readonly config: PlatformConfig;
  readonly charts: Charts;
  /** Why a component is skipped, by its config key; undefined when none is. */
  readonly skipped?: Readonly<Record<string, string>>;
}

/**
 * Fetches the charts that the config asks for before the program registers anything. An optional component whose chart
 * can't be fetched is skipped, with a warning in the summary; one that is running is never skipped, since that would
 * remove it. `state` is the stack's as it was before this run.
 */
export async function withCharts(config: PlatformConfig, state: Promise<StateResources>): Promise<WithCharts> {
  if (config.charts.wanted.length === 0) return { config, charts: { archives: {} } };
  const { archives, crds, skipped, warnings } = await fetchCharts(config.charts).catch((error: unknown) => {
    throw error instanceof ChartsError ? new pulumi.RunError(error.message) : error;
  });
  for (const warning of warnings) await pulumi.log.warn(warning);
  if (skipped.length === 0) return { config, charts: { archives, crds } };

  const running = runningOf(
    skipped.map(({ wanted }) => wanted.token),
    await state,
  );
  if (running.size > 0) {
    const reasons = skipped.filter(({ wanted }) => running.has(wanted.token));
    throw new pulumi.RunError(
      reasons
        .map(
          ({ wanted, why }) => `stackyard:${wanted.component}: ${why}; it is running, and skipping it would remove it`,
        )
        .join("\n"),
    );
  }
  for (const { wanted, why } of skipped) {
    await pulumi.log.warn(`stackyard:${wanted.component} is skipped, because it is optional and ${why}`);
  }
  const gone = Object.fromEntries(skipped.map(({ wanted }) => [wanted.component, undefined]));
  return {
    config: { ...config, ...gone },
    charts: { archives, crds },
    skipped: Object.fromEntries(skipped.map(({ wanted, why }) => [wanted.component, why])),
  };
}
