import * as z from "zod";
import { isHostname } from "./urls";

/**
 * Building blocks of the schemas. The message of every zod issue is the expected value; `issues.ts` adds the path and
 * the value that was found.
 */

/** Parameters of a custom zod issue. They carry the `hint`. */
export interface IssueParams {
  readonly hint?: string;
}

export const text = (expected = "a text") => z.string({ error: expected });

/** A list. `of`: what it has, in the plural, such as `namespaces`. */
export const listOf = <Item extends z.ZodType>(item: Item, of: string) => z.array(item, { error: `a list of ${of}` });

/** A list that is empty by default. */
export const list = <Item extends z.ZodType>(item: Item, of: string) => listOf(item, of).default([]);

/** An object of texts. */
export const stringMap = (of: string) => z.record(z.string(), text(), { error: `an object of ${of}` });

/** A string that matches `pattern`. */
export const matching = (pattern: RegExp, expected: string) =>
  z.string({ error: expected }).regex(pattern, { error: expected });

/**
 * A string that `check` accepts by returning undefined. Otherwise `check` returns a hint, or "" for none. `pattern` is
 * for editors.
 */
export const checkedText = (expected: string, check: (text: string) => string | undefined, pattern: RegExp) =>
  z
    .string({ error: expected })
    .superRefine((text, context) => {
      const hint = check(text);
      if (hint === undefined) return;
      const params: IssueParams = hint === "" ? {} : { hint };
      context.addIssue({ code: "custom", message: expected, params });
    })
    .meta({ pattern: pattern.source });

/** A host name with a dot. */
export const hostname = (expected: string) =>
  checkedText(expected, (text) => (isHostname(text) && text.includes(".") ? undefined : ""), /^[a-z0-9.-]+$/);

/** The expected value for a number that exceeds its maximum: the maximum, unless `expected` already names it. */
const within = (expected: string, most: number): string =>
  expected.includes(String(most)) ? expected : `at most ${most}`;

/** An integer of at least 1. */
export const count = (expected: string, most = 1_000_000, least = 1) => {
  // A number beyond the safe integers also exceeds the maximum.
  const error = ({ code }: { readonly code?: string }) => (code === "too_big" ? within(expected, most) : expected);
  return z.int({ error }).min(least, { error: expected }).max(most, { error });
};

/** A number greater than zero. `least` rejects values that are too small to be intended. */
export const positive = (expected: string, most = 1_000_000, least = 0.001) =>
  z
    .number({ error: expected })
    .min(least, { error: ({ input }) => (Number(input) > 0 ? `at least ${least}` : expected) })
    .max(most, { error: within(expected, most) });

export const duration = () => matching(/^[1-9]\d{0,4}[smh]$/, "a duration such as 90s, 10m or 1h");

export const flag = () => z.boolean({ error: "true or false" });

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: values.join(" or ") });

/**
 * An object with exactly these keys. The message for an unknown key lists the known keys, joined by
 * {@link KEY_SEPARATOR}.
 */
export const strict = <Shape extends z.ZodRawShape>(expected: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(KEY_SEPARATOR) : expected),
  });

export const KEY_SEPARATOR = ", ";

/** Name of a provisioner. It becomes part of resource names and of the pool's name in the ledger. */
export const PROVISIONER_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** A provisioner or ClickHouse provisioner, as named in `allowRemoval`. */
export const REMOVABLE = /^(clickhouse\.)?[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** Name of a namespace: a DNS-1123 label. */
export const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Image without a tag: registry with an optional port, then path. */
const IMAGE = /^[a-z0-9]+([._-]+[a-z0-9]+)*(:[0-9]{1,5}(?=\/))?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/;

export function checkImage(text: string): string | undefined {
  if (IMAGE.test(text)) return undefined;
  const bare = text.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  return IMAGE.test(bare) ? `the version comes from the deployment, so write ${bare}` : "";
}
