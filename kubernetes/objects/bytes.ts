/** Kubernetes quantities of bytes: `40Gi`, `1.5T`, `42949672960`. */

import { quantity } from "../../foundation/kubernetes/quantity";

/** Converts a quantity to bytes, rounded up as Kubernetes does. Undefined if it is invalid. */
export function bytesOf(text: unknown): number | undefined {
  const bytes = quantity(text);
  return bytes === undefined ? undefined : Math.ceil(bytes);
}

/** `40 GiB`, `1.5 TiB`; exact bytes if one decimal is not precise enough. */
export function sizeText(bytes: number): string {
  for (const [unit, factor] of [
    ["TiB", 2 ** 40],
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ] as const) {
    const count = bytes / factor;
    if (count >= 1 && Number.isInteger(count * 10)) return `${count} ${unit}`;
  }
  return `${bytes} bytes`;
}
