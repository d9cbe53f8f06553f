/** Kubernetes minor versions for which the versions of the platform's own charts are known. */
export const KNOWN_MINORS = ["1.31", "1.32", "1.33", "1.34", "1.35", "1.36"] as const;
