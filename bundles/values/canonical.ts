/** The same text, and the same hashes, for the same value, whatever the order of its keys. */

import { scryptSync } from "node:crypto";
import { isObject, type Json } from "../../kubernetes/client/objects";

export const canonical = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const result: Json = {};
  for (const key of Object.keys(value).sort()) result[key] = sorted(value[key]);
  return result;
}

/** For what may hold a secret: slow, so that nobody finds out by guessing, and another one for each `place`. */
export const slowHash = (text: string, place: string): string => scryptSync(text, place, 32).toString("hex");
