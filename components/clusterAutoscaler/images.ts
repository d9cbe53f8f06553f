/** Versions of the cluster-autoscaler for each Kubernetes version. Pure. */

import type { KNOWN_MINORS } from "../cluster/onEks/minors";

/**
 * Image tag by Kubernetes minor version. The autoscaler includes the scheduler's code to predict its decisions, so both
 * must have the same minor version. A version without an entry is an error.
 */
export const TAGS: Readonly<Record<(typeof KNOWN_MINORS)[number], string>> = {
  "1.31": "v1.31.5",
  "1.32": "v1.32.7",
  "1.33": "v1.33.6",
  "1.34": "v1.34.5",
  "1.35": "v1.35.2",
  "1.36": "v1.36.1",
};

export const tagOf = (version: string): string | undefined =>
  Object.hasOwn(TAGS, version) ? TAGS[version as keyof typeof TAGS] : undefined;

/** The minor version of a tag such as `v1.35.1`; undefined if it has none. */
export const minorOf = (tag: string): string | undefined => /^v?(\d+\.\d+)\.\d+/.exec(tag)?.[1];
