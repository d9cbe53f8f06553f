/** Formats of bundles, as our provider reads them. */
export const FORMATS = ["plain+v0", "registry+v1"] as const;
