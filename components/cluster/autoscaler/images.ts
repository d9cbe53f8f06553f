/** Which cluster-autoscaler goes with which Kubernetes. Pure. */

/**
 * Kubernetes minor to the tag of its image. The autoscaler holds the scheduler's code and predicts with it what the
 * cluster's own would do, so its minor is the cluster's. A minor that is not here is refused, never guessed.
 */
export const TAGS: Readonly<Record<string, string>> = {
  "1.31": "v1.31.5",
  "1.32": "v1.32.7",
  "1.33": "v1.33.6",
  "1.34": "v1.34.5",
  "1.35": "v1.35.2",
  "1.36": "v1.36.1",
};

export const tagOf = (version: string): string | undefined =>
  Object.hasOwn(TAGS, version) ? TAGS[version] : undefined;

/** The minor of a tag such as `v1.35.1`; undefined if it shows none. */
export const minorOf = (tag: string): string | undefined => /^v?(\d+\.\d+)\.\d+/.exec(tag)?.[1];
