/** Formats faults of objects. */

import type { BundleFault } from "../errors";
import type { BundleObject } from "./format";

export const faultAt = ({ file, document, line }: Omit<BundleObject, "object">, what: string): BundleFault => ({
  file,
  document,
  line,
  what,
});
