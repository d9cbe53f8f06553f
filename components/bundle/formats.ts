/** Formats of bundles, as our provider reads them. */
export const FORMATS = ["plain+v0", "registry+v1", "helm", "kustomize"] as const;

/** Those of them whose objects depend on values. */
export const WITH_VALUES: readonly string[] = ["registry+v1", "helm", "kustomize"];
