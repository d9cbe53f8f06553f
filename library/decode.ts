import * as pulumi from "@pulumi/pulumi";
import { withCharts as fetched, type WithCharts } from "../components/platform/checks/platformCharts";
import { decodeConfig as decoded } from "../components/platform/config/decodeConfig";
import type { PlatformConfig } from "../components/platform/config/platformConfig";
import { readOwnState } from "../components/resources/ownState";
import { ConfigError } from "../foundation/schema/faults";
import { projectFiles } from "../foundation/schema/files";
import { markDecoded } from "./checked";

interface DecodeOptions {
  /** Base of relative paths. Default: the working directory. */
  readonly folder?: string;
  /** Keys whose value is, or contains, a secret, such as `ledger`. Default: none. */
  readonly secretKeys?: readonly string[];
}

/**
 * Checks settings and sets their defaults. Components take parts of the result. `values` has the keys of docs/config.md
 * without `stackyard:`, as plain values; `provisioners` is optional. Throws a RunError that lists every fault.
 */
export function decodeConfig(
  values: Readonly<Record<string, unknown>>,
  { folder = process.cwd(), secretKeys = [] }: DecodeOptions = {},
): PlatformConfig {
  try {
    const raw = { values, secretKeys: new Set(secretKeys), stack: pulumi.getStack(), isPartial: true };
    const config = decoded(raw, projectFiles(folder));
    for (const warning of config.warnings) void pulumi.log.warn(warning);
    return markDecoded(config);
  } catch (error) {
    throw error instanceof ConfigError ? new pulumi.RunError(error.message) : error;
  }
}

/**
 * Fetches the charts that the config needs. Returns them, and the config without optional components whose charts are
 * unavailable.
 */
export const withCharts = (config: PlatformConfig): Promise<WithCharts> => fetched(config, readOwnState());
