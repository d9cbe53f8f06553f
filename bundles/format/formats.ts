/** What reads each format of bundles. */

import { FORMAT_NAMES, type FormatName } from "../../foundation/bundleFormats";
import type { BundleFormat } from "./format";
import { HELM } from "./helm/helm";
import { KUSTOMIZE } from "./kustomize/kustomize";
import { PLAIN } from "./plain";
import { REGISTRY } from "./registry/registry";

const READERS: { readonly [Name in FormatName]: BundleFormat } = {
  "plain+v0": PLAIN,
  "registry+v1": REGISTRY,
  helm: HELM,
  kustomize: KUSTOMIZE,
};

export const FORMATS: ReadonlyMap<string, BundleFormat> = new Map(FORMAT_NAMES.map((name) => [name, READERS[name]]));

/** Format of a bundle without an explicit or detected one. */
export const DEFAULT_FORMAT = PLAIN.name;

/** Fault for values of a format without values. */
export const noValues = (format: string): string =>
  `found values; expected none: the format ${format} takes none, its objects are what its files say. Take them away`;
