import * as z from "zod";
import {
  choiceFault,
  SOURCES,
  SOURCE_TYPES,
  type Fields,
  type Source,
  type SourceDescription,
  type SourceField,
} from "../foundation/bundleSources";
import type { Json } from "../foundation/json/isObject";
import { holdsSecret } from "../foundation/net/givenAddress";
import { checkedText, flag, matching, strict } from "../foundation/schema/fields";

/** Schema of a bundle's source, in stack config and in a file of sources. */

/** Schemas of secret and of long texts. */
interface GivenTexts {
  readonly secret: z.ZodType;
  readonly long: z.ZodType;
}

/** An address without a secret: states store it in plain text, and messages print it. */
const address = (expected: string, pattern: RegExp) =>
  checkedText(
    `${expected}, without a password or token`,
    (given) => {
      if (holdsSecret(given)) return "credentials belong into auth or dockerConfig, as secrets";
      return pattern.test(given) ? undefined : "";
    },
    pattern,
  );

function bare(field: SourceField, texts: GivenTexts): z.ZodType {
  const { type, expected = "", fields, choices, pattern = /\S/, isAddress = false, given } = field;
  if (fields) return objectSchema(expected, { fields, choices }, texts);
  if (type === "flag") return flag();
  if (type === "map of texts") return z.record(z.string(), z.string({ error: "a text" }), { error: "a map of texts" });
  if (given === "secret" || given === "long") return texts[given];
  const one = isAddress ? address(expected, pattern) : matching(pattern, expected);
  return type === "texts" ? z.array(one, { error: `a list of texts, each ${expected}` }) : one;
}

function objectSchema(expected: string, kind: Fields, texts: GivenTexts, more: z.ZodRawShape = {}) {
  const shape = Object.entries(kind.fields).flatMap(([name, field]) => {
    if (field.given === "by the instance") return [];
    const schema = bare(field, texts);
    return [[name, (field.needed ? schema : schema.optional()).describe(field.about)] as const];
  });
  const object = strict(expected, { ...more, ...Object.fromEntries(shape) });
  if (kind.choices === undefined) return object;
  return object.refine((one: Json) => choiceFault(one, kind) === undefined, {
    error: ({ input }) => choiceFault(input as Json, kind),
  });
}

export function sourceSchema(texts: GivenTexts): z.ZodType<Source & Json> {
  const kinds = SOURCE_TYPES.map((type) => {
    const kind: SourceDescription = SOURCES[type];
    const named = { type: z.literal(type).describe(kind.about) };
    return objectSchema(`a source of type ${type}`, kind, texts, named);
  });
  const types = `${SOURCE_TYPES.slice(0, -1).join(", ")} or ${SOURCE_TYPES.at(-1) ?? ""}`;
  return z.discriminatedUnion("type", kinds as [z.ZodObject, ...z.ZodObject[]], {
    error: `an object whose type is ${types}`,
  }) as unknown as z.ZodType<Source & Json>;
}
