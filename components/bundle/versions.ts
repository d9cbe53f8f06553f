import { maxSatisfying } from "semver";
import type { BundleSettings, BundleRequest } from "./settings";

/** Which version of a bundle is meant. Pure. */

/** The highest of a range; one before its release only where there is no other. */
const highest = (versions: readonly string[], range: string): string | undefined =>
  maxSatisfying(versions, range) ?? maxSatisfying(versions, range, { includePrerelease: true }) ?? undefined;

export const versionFor = ({ versions }: BundleSettings, range = "*"): string | undefined =>
  highest(Object.keys(versions), range);

export const requestText = ({ bundle, range }: BundleRequest): string =>
  range === "*" ? bundle : `${bundle}@${range}`;
