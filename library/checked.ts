import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../foundation/json/isObject";
import { describe } from "../foundation/schema/describe";

/**
 * Every object and list that the config's decoder returned. They are complete, so components need no further checks.
 */
const DECODED = new WeakSet<object>();

export function markDecoded<T>(value: T): T {
  if (typeof value === "object" && value !== null && !DECODED.has(value)) {
    DECODED.add(value);
    Object.values(value).forEach(markDecoded);
  }
  return value;
}

/**
 * Whether a value comes from the decoder, or is composed of such values: `{ main: config.ray.main }`. Plain values
 * beside them, such as a changed number, are the program's responsibility.
 */
function isDecoded(value: unknown): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false;
  if (DECODED.has(value)) return true;
  const parts = Object.values(value).filter((part) => typeof part === "object" && part !== null);
  return parts.length > 0 ? parts.every(isDecoded) : Object.keys(value).length === 0;
}

/** What an argument must be: a part of the decoded config, any value, or an object of objects with these keys. */
type Expected =
  | { readonly decoded: string; readonly optional?: true }
  | { readonly value: string }
  | { readonly entriesWith: readonly string[] };

/**
 * Returns the arguments unchanged. Throws a RunError that names the first argument a component can't use. JavaScript
 * programs and values of type `any` have no compiler to check them.
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
