/** Checks the fields of a source from an untrusted place. */

import { isSecretField } from "../../foundation/schema/secretFields";
import { nearest } from "../../foundation/text/nearest";
import { valueKind } from "../format/documents";
import { Refused } from "../errors";
import type { SourceField, Fields } from "./kind";
import { SOURCES } from "./registry";
import type { Source } from "./source";
import { isObject } from "../../foundation/json/isObject";

/** Returns the source if every field is known and has the right type. Throws {@link Refused} with the first fault. */
export function checkSource(value: unknown): Source {
  const type = isObject(value) ? value["type"] : undefined;
  if (!isObject(value) || typeof type !== "string" || !Object.hasOwn(SOURCES, type)) {
    throw new Refused(`type: found ${valueKind(type)}; expected one of ${Object.keys(SOURCES).join(", ")}`);
  }
  const { needed, fields } = SOURCES[type as Source["type"]];
  checkFields({ ...value, type: undefined }, fields, "");
  for (const name of needed) {
    if (value[name] === undefined) throw new Refused(`${name}: found nothing; a source of type ${type} needs it`);
  }
  return value as unknown as Source;
}

function checkFields(given: Readonly<Record<string, unknown>>, fields: Fields, at: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined)
      throw new Refused(`${at}${name}: found an unknown field${meant(name, Object.keys(fields))}`);
    if (typeof field === "object") {
      if (!isObject(value)) throw new Refused(`${at}${name}: found ${shown(name, value)}; expected an object`);
      checkFields(value, field, `${at}${name}.`);
    } else if (!FITS[field](value)) {
      throw new Refused(`${at}${name}: found ${shown(name, value)}; expected ${EXPECTED[field]}`);
    }
  }
}

const filled = (value: unknown): boolean => typeof value === "string" && value !== "";

const FITS: Readonly<Record<Exclude<SourceField, Fields>, (value: unknown) => boolean>> = {
  text: filled,
  texts: (value) => Array.isArray(value) && value.every(filled),
  "map of texts": (value) => isObject(value) && Object.values(value).every((each) => typeof each === "string"),
  flag: (value) => typeof value === "boolean",
};

const EXPECTED: Readonly<Record<Exclude<SourceField, Fields>, string>> = {
  text: "a text that is not empty",
  texts: "a list of texts",
  "map of texts": "a map of texts",
  flag: "true or false",
};

const shown = (name: string, value: unknown): string =>
  isSecretField(name) ? "something else (it is a secret)" : valueKind(value);

function meant(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `; expected one of ${known.join(", ")}` : `; did you mean ${near}?`;
}
