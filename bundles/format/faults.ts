/** Formats faults of objects. */

import type { Fault } from "../errors";
import type { BundleObject } from "./format";

export const faultAt = ({ file, document, line }: Omit<BundleObject, "object">, what: string): Fault => ({
  file,
  document,
  line,
  what,
});
