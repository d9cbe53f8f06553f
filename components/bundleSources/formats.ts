/** Bundle formats that the provider reads. */
export const FORMATS = ["plain+v0", "registry+v1", "helm", "kustomize"] as const;

/** Formats whose objects depend on values. */
export const WITH_VALUES: readonly string[] = ["registry+v1", "helm", "kustomize"];
