import * as pulumi from "@pulumi/pulumi";
import type { PlatformConfig } from "../config/platformConfig";
import { imagesOf } from "../facts";
import type { StateResources } from "../../resources/ownState";
import { runningOf } from "../../resources/running";
import { fetchCharts, ChartsError } from "../../charts/fetchCharts";
import type { Charts } from "../../charts/charts";

const LISTED = 20;

/** Images without a digest, whose content may change under their tag. Runtimes have the version of their deployment. */
function unpinned(config: PlatformConfig): string | undefined {
  const images = imagesOf(config).flatMap(({ image }) => (/@sha256:|>$/.test(image) ? [] : [image]));
  const names = [...new Set(images)].sort();
  if (names.length === 0) return undefined;
  const more = names.length > LISTED ? [`and ${names.length - LISTED} more`] : [];
  const all = [...names.slice(0, LISTED), ...more].map((line) => `  - ${line}`).join("\n");
  const how = `record their digests with: stackyard charts lock --stack ${pulumi.getStack()}`;
  return `stackyard:images.lock: these images have no digest, so their content may change; ${how}\n${all}`;
}

/** The config without skipped components, and the charts of the others. */
export interface WithCharts {
  readonly config: PlatformConfig;
  readonly charts: Charts;
  /** Reason for each skipped component, by config key; undefined if none is skipped. */
  readonly skipped?: Readonly<Record<string, string>>;
}

/**
 * Fetches the charts that the config needs, before the program registers any resource. An optional component whose
 * chart is unavailable is skipped with a warning. A component that is already installed is never skipped, since that
 * would delete it. `state`: the stack's state before this run.
 */
export async function withCharts(config: PlatformConfig, state: Promise<StateResources>): Promise<WithCharts> {
  const { lock } = config.images;
  const loose = lock === "off" ? undefined : unpinned(config);
  if (loose !== undefined && lock === "required") throw new pulumi.RunError(`${loose}\nNothing was changed.`);
  if (loose !== undefined) await pulumi.log.warn(loose);
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
