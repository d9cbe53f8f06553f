/**
 * YAML as kubectl understands it: 1.1 for numbers and truth values, and nothing that JSON has no word for. The parser is
 * js-yaml, several times as fast as the package yaml, which minds the indentation in brackets and quotes just as much.
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
import { fixIndentation } from "./fixIndentation";
import { Inexact } from "./numbers";

const DIGITS = [..."+-0123456789"];
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** What a number is worth; undefined for a text that is none. Times and numbers to the base 60 are texts. */
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
  // As it would be sent.
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

/** Tags that nobody knows say nothing: a text is a text, a list is a list. */
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

/** Why a text is no YAML. */
export class YamlFault extends Error {
  constructor(
    message: string,
    /** Counted from 0; undefined when it is not known. */
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

export interface Reading {
  /** What is left of the characters that may be read again, because something was fixed in them. */
  characters: number;
  /** Of a key that exists twice the last one counts. Default: it is a fault. */
  readonly keysTwice?: boolean;
}

/** The values of a text, mostly one, in which there may be numbers that are {@link Inexact}. Throws {@link YamlFault}. */
export function parseYaml(text: string, reading: Reading = { characters: LIMITS.fixedCharacters }): unknown[] {
  for (let tried = text; ;) {
    try {
      return loadAll(tried, { schema: SCHEMA, maxDepth: 100, maxAliases: 1000, json: reading.keysTwice === true });
    } catch (error) {
      const next = error instanceof YAMLException ? fixIndentation(tried, error) : undefined;
      reading.characters -= next?.length ?? 0;
      if (next !== undefined && reading.characters >= 0) tried = next;
      else if (error instanceof YAMLException) throw new YamlFault(error.reason, error.mark?.line);
      else throw new YamlFault(error instanceof Error ? error.message : String(error), undefined);
    }
  }
}
