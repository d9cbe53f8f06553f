import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../foundation/json/isObject";

/** A shorter text, such as `admin`, may be in another value by chance. What a feature marks itself stays secret. */
const LONG_ENOUGH = 8;

/** Returns a function that marks as secret what contains one of these texts, in plain values and in outputs. */
export function hiding(texts: readonly string[]): (value: unknown) => unknown {
  const long = texts.filter(({ length }) => length >= LONG_ENOUGH);
  const isSecret = (text: string): boolean => long.some((one) => text.includes(one));
  const holds = (value: unknown): boolean =>
    typeof value === "string" ? isSecret(value) : isPlain(value) && Object.values(value).some(holds);
  const hidden = (value: unknown): unknown => {
    if (pulumi.Output.isInstance(value)) return value.apply((known) => (holds(known) ? pulumi.secret(known) : known));
    if (typeof value === "string") return isSecret(value) ? pulumi.secret(value) : value;
    if (Array.isArray(value)) return value.map(hidden);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each)])) : value;
  };
  return hidden;
}

/** Whether a value is JSON, and no asset, resource or promise. */
const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);
