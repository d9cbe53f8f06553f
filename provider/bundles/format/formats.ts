/** The formats of bundles by their names. */

import type { BundleFormat } from "./format";
import { PLAIN } from "./plain";

export const FORMATS: ReadonlyMap<string, BundleFormat> = new Map([[PLAIN.name, PLAIN]]);

/** What a bundle has that says nothing of its format. */
export const DEFAULT_FORMAT = PLAIN.name;
