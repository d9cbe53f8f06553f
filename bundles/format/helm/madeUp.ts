/**
 * Finds values that a chart generates on each rendering, such as passwords, certificates and times, by rendering it
 * twice.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Path } from "../format";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** Returns the paths at which two renderings differ. Lists of different lengths count as a whole. */
export function differences(one: unknown, other: unknown, at: Path = []): Path[] {
  if (isObject(one) && isObject(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.flatMap((key) => differences(own(one, key), own(other, key), [...at, key]));
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((each, index) => differences(each, other[index], [...at, index]));
  }
  return one === other ? [] : [at];
}

const own = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Functions of a clock with a resolution of seconds differ only after a second has passed. */
const ASKS_CLOCK = /\{\{[^}]*\b(now|ago|unixEpoch|dateInZone|date)\b/;
const MAY_ASK = /(^|\/)templates\/|\.tpl$/;

export async function waitForClock(
  files: ReadonlyMap<string, Buffer>,
  values: Json,
  signal: AbortSignal,
): Promise<void> {
  const asks =
    [...files].some(([file, bytes]) => MAY_ASK.test(file) && ASKS_CLOCK.test(bytes.toString("utf8"))) ||
    ASKS_CLOCK.test(JSON.stringify(values));
  if (asks) await sleep(1_000, undefined, { signal });
}
