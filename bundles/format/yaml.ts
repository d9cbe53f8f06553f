/**
 * Parses YAML as kubectl does: numbers and booleans of YAML 1.1, and only types that JSON has. Uses js-yaml, which is
 * several times as fast as the package yaml. Both are stricter than kubectl about indentation in brackets and quotes.
 */

import {
  boolYaml11Tag,
  defineScalarTag,
  loadAll,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from "js-yaml";
import { LIMITS } from "../limits";
import { indented } from "./indentation";
import { Inexact } from "./numbers";

const DIGITS = [..."+-0123456789"];
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** Parses an integer; undefined for other texts. Timestamps and base 60 numbers are texts. */
function integer(text: string): number | Inexact | undefined {
  const match = INTEGER.exec(text.replaceAll("_", ""));
  if (!match) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits =
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : decimal;
  const value = BigInt(digits ?? "0") * (sign === "-" ? -1n : 1n);
  // Keep it as a plain number only if it is exact.
  return String(Number(value)) === value.toString() ? Number(value) : new Inexact(text, Number(value));
}

const intTag = defineScalarTag<number | Inexact>("tag:yaml.org,2002:int", {
  implicit: true,
  implicitFirstChars: DIGITS,
  resolve: (text) => integer(text) ?? NOT_RESOLVED,
  identify: () => false,
});

const floatTag = defineScalarTag<number | Inexact>("tag:yaml.org,2002:float", {
  implicit: true,
  implicitFirstChars: [...DIGITS, "."],
  resolve: (text, explicit) => {
    if (/^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$/.test(text)) throw new Error(`JSON has no number ${text}`);
    const plain = text.replaceAll("_", "");
    if (!FLOAT.test(plain)) return explicit ? (integer(text) ?? NOT_RESOLVED) : NOT_RESOLVED;
    const value = Number(plain);
    if (!Number.isFinite(value)) throw new Error(`the number ${text} is too large; put it in quotes if it is a text`);
    return value;
  },
  identify: () => false,
});

const binaryTag = defineScalarTag<string>("tag:yaml.org,2002:binary", {
  resolve: (text) => Buffer.from(text, "base64").toString("utf8"),
  identify: () => false,
});

/** Unknown tags are ignored: a text stays a text, a list a list. */
const anyTag = defineScalarTag<string>("", {
  matchByTagPrefix: true,
  resolve: (text) => text,
  identify: () => false,
});
const anySeqTag = { ...seqTag, tagName: "", matchByTagPrefix: true };
const anyMapTag = { ...mapTag, tagName: "", matchByTagPrefix: true };

const SCHEMA = new Schema([
  ...[strTag, seqTag, mapTag, nullYaml11Tag, boolYaml11Tag, intTag, floatTag, mergeTag],
  ...[binaryTag, anyTag, anySeqTag, anyMapTag],
]);

/** The text is not valid YAML. */
export class YamlFault extends Error {
  constructor(
    message: string,
    /** From 0; undefined if unknown. */
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

export interface Reading {
  /** Remaining number of characters that may be parsed again with other indentation. */
  characters: number;
  /** Allow duplicate keys; the last one wins. Default: a duplicate is a fault. */
  readonly keysTwice?: boolean;
}

/** Parses the values of a text, usually one, which may contain {@link Inexact} numbers. Throws {@link YamlFault}. */
export function parseYaml(text: string, reading: Reading = { characters: LIMITS.fixedCharacters }): unknown[] {
  const parse = (one: string): unknown[] =>
    loadAll(one, { schema: SCHEMA, maxDepth: 100, maxAliases: 1000, json: reading.keysTwice === true });
  try {
    return parse(text);
  } catch (error) {
    const isIndented = !(error instanceof YAMLException) || error.reason !== "deficient indentation";
    const fixed = isIndented ? undefined : indented(text, reading.characters);
    reading.characters -= fixed?.length ?? 0;
    if (fixed === undefined) throw faultOf(error);
    try {
      return parse(fixed);
    } catch (other) {
      throw faultOf(other);
    }
  }
}

const faultOf = (error: unknown): YamlFault =>
  error instanceof YAMLException
    ? new YamlFault(error.reason, error.mark?.line)
    : new YamlFault(error instanceof Error ? error.message : String(error), undefined);
