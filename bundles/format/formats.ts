/** The formats of bundles by name. */

import type { BundleFormat } from "./format";
import { HELM } from "./helm/helm";
import { KUSTOMIZE } from "./kustomize/kustomize";
import { PLAIN } from "./plain";
import { REGISTRY } from "./registry/registry";

export const FORMATS: ReadonlyMap<string, BundleFormat> = new Map(
  [PLAIN, REGISTRY, HELM, KUSTOMIZE].map((format) => [format.name, format]),
);

/** Format of a bundle without an explicit or detected one. */
export const DEFAULT_FORMAT = PLAIN.name;

/** Fault for values of a format without values. */
export const noValues = (format: string): string =>
  `found values; expected none: the format ${format} takes none, its objects are what its files say. Take them away`;
