import { maxSatisfying } from "semver";
import type { BundleSettings, BundleRequest } from "./settings";

/** Selects a version of a bundle. Pure. */

/** The highest version in a range. A prerelease only if there is no other. */
const highest = (versions: readonly string[], range: string): string | undefined =>
  maxSatisfying(versions, range) ?? maxSatisfying(versions, range, { includePrerelease: true }) ?? undefined;

export const versionFor = ({ versions }: BundleSettings, range = "*"): string | undefined =>
  highest(Object.keys(versions), range);

export const requestText = ({ bundle, range }: BundleRequest): string =>
  range === "*" ? bundle : `${bundle}@${range}`;
