import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../foundation/json/isObject";
import { describe } from "../foundation/schema/describe";

/** Every object and list of what the config's decoder returned: complete, so that a component finds what it expects. */
const DECODED = new WeakSet<object>();

export function markDecoded<T>(value: T): T {
  if (typeof value === "object" && value !== null && !DECODED.has(value)) {
    DECODED.add(value);
    Object.values(value).forEach(markDecoded);
  }
  return value;
}

/**
 * Whether a value comes from the decoder as it is, or is put together of what does: `{ main: config.ray.main }`. What is
 * plain beside that, such as a changed number, is the program's to answer for.
 */
function isDecoded(value: unknown): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false;
  if (DECODED.has(value)) return true;
  const parts = Object.values(value).filter((part) => typeof part === "object" && part !== null);
  return parts.length > 0 ? parts.every(isDecoded) : Object.keys(value).length === 0;
}

/** What an argument must be: that part of the decoded config, any value, or an object of objects with these keys. */
export type Expected =
  | { readonly decoded: string; readonly optional?: true }
  | { readonly value: string }
  | { readonly entriesWith: readonly string[] };

/**
 * The same arguments. Throws an error that names the first one that a component could not work with; programs in JavaScript
 * and values of type any have no compiler to do so.
 */
export function checked<Args>(component: string, args: Args, expected: Readonly<Record<string, Expected>>): Args {
  const names = Object.keys(expected).join(", ");
  if (!isObject(args))
    throw new pulumi.RunError(`${component}: found ${describe(args, false)}; expected an object with ${names}`);
  for (const [key, one] of Object.entries(expected)) {
    const fault = faultOf(args[key], one);
    if (fault !== undefined) throw new pulumi.RunError(`${component}: ${key}: ${fault}`);
  }
  return args;
}

function faultOf(value: unknown, one: Expected): string | undefined {
  const isMissing = value === undefined || value === null;
  if ("value" in one) return isMissing ? `found nothing; expected ${one.value}` : undefined;
  if ("entriesWith" in one) {
    const wanted = `an object of objects with ${one.entriesWith.join(", ")}`;
    if (!isObject(value)) return `found ${describe(value, false)}; expected ${wanted}`;
    const lacking = Object.entries(value).flatMap(([name, entry]) =>
      one.entriesWith.filter((key) => !isObject(entry) || entry[key] === undefined).map((key) => `${name}.${key}`),
    );
    return lacking.length > 0 ? `found no ${lacking.join(", ")}; expected ${wanted}` : undefined;
  }
  const wanted = `expected ${one.decoded} of what decodeConfig returns`;
  if (isMissing) return one.optional ? undefined : `found nothing; ${wanted}`;
  return isDecoded(value) ? undefined : `found values that decodeConfig did not check; ${wanted}`;
}
