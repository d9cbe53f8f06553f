/** All formats of bundles, and whether their objects depend on values. A folder in bundles/format/ reads each. */
export const FORMATS = {
  "plain+v0": { takesValues: false },
  "registry+v1": { takesValues: true },
  helm: { takesValues: true },
  kustomize: { takesValues: true },
} as const;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as [FormatName, ...FormatName[]];

/** Formats whose objects depend on values. */
export const WITH_VALUES: readonly string[] = FORMAT_NAMES.filter((name) => FORMATS[name].takesValues);
