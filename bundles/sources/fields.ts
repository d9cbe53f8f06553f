/** Checks the fields of a source from an untrusted place. */

import {
  choiceFault,
  SOURCES,
  type Fields,
  type Source,
  type SourceField,
  type SourceType,
} from "../../foundation/bundleSources";
import { isObject, type Json } from "../../foundation/json/isObject";
import { nearest } from "../../foundation/text/nearest";
import { valueKind } from "../format/documents";
import { Refused } from "../errors";

/** Returns the source if every field is known and has the right type. Throws {@link Refused} with the first fault. */
export function checkSource(value: unknown): Source {
  const type = isObject(value) ? value["type"] : undefined;
  if (!isObject(value) || typeof type !== "string" || !Object.hasOwn(SOURCES, type)) {
    throw new Refused(`type: found ${valueKind(type)}; expected one of ${Object.keys(SOURCES).join(", ")}`);
  }
  checkFields({ ...value, type: undefined }, SOURCES[type as SourceType], "", type);
  const fault = choiceFault(value, SOURCES[type as SourceType]);
  if (fault !== undefined) throw new Refused(`expected ${fault}`);
  return value as unknown as Source;
}

function checkFields(given: Json, { fields }: Fields, at: string, type: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined)
      throw new Refused(`${at}${name}: found an unknown field${meant(name, Object.keys(fields))}`);
    if (!FITS[field.type](value)) {
      throw new Refused(`${at}${name}: found ${shown(field, value)}; expected ${EXPECTED[field.type]}`);
    }
    if (field.fields) checkFields(value as Json, { fields: field.fields }, `${at}${name}.`, type);
  }
  for (const [name, { needed }] of Object.entries(fields)) {
    if (needed && given[name] === undefined)
      throw new Refused(`${at}${name}: found nothing; a source of type ${type} needs it`);
  }
}

const filled = (value: unknown): boolean => typeof value === "string" && value !== "";

const FITS: Readonly<Record<SourceField["type"], (value: unknown) => boolean>> = {
  text: filled,
  texts: (value) => Array.isArray(value) && value.every(filled),
  "map of texts": (value) => isObject(value) && Object.values(value).every((each) => typeof each === "string"),
  flag: (value) => typeof value === "boolean",
  object: isObject,
};

const EXPECTED: Readonly<Record<SourceField["type"], string>> = {
  text: "a text that is not empty",
  texts: "a list of texts",
  "map of texts": "a map of texts",
  flag: "true or false",
  object: "an object",
};

/** A text in place of an object may be one of the secrets that belong into the object. */
const isSecret = ({ given, fields = {} }: SourceField): boolean =>
  given === "secret" || Object.values(fields).some(isSecret);

const shown = (field: SourceField, value: unknown): string =>
  isSecret(field) ? "something else (it is a secret)" : valueKind(value);

function meant(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `; expected one of ${known.join(", ")}` : `; did you mean ${near}?`;
}
