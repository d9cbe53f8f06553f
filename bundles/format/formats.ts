/** The formats of bundles by their names. */

import type { BundleFormat } from "./format";
import { HELM } from "./helm/helm";
import { KUSTOMIZE } from "./kustomize/kustomize";
import { PLAIN } from "./plain";
import { REGISTRY } from "./registry/registry";

export const FORMATS: ReadonlyMap<string, BundleFormat> = new Map(
  [PLAIN, REGISTRY, HELM, KUSTOMIZE].map((format) => [format.name, format]),
);

/** What a bundle has that says nothing of its format. */
export const DEFAULT_FORMAT = PLAIN.name;

/** What is wrong with values for a format that takes none. */
export const noValues = (format: string): string =>
  `found values; expected none: the format ${format} takes none, its objects are what its files say. Take them away`;
