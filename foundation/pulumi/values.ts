/** Converts plain JSON to and from the protobuf structs in which the engine sends properties. */

import { ListValue, NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { UNKNOWN } from "./resource";
import type { Properties } from "./resource";
import { plainOf } from "./structs";

/** The engine has one placeholder per type of unknown value. Handlers see a single one. */
const UNKNOWNS: ReadonlySet<string> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

/** Marks an object as a special value of the engine, here a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Decodes a struct. Returns an empty object if there is none. */
export function decode(struct: Struct | undefined): Properties {
  return struct ? (withUnknowns(plainOf(struct) ?? struct.toJavaScript()) as Properties) : {};
}

function withUnknowns(value: unknown): unknown {
  if (typeof value === "string") return UNKNOWNS.has(value) ? UNKNOWN : value;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withUnknowns(inner)]));
}

/**
 * Omits undefined values, as JSON does. Throws a TypeError for values that JSON can't represent. `secrets` names
 * top-level properties that the engine must encrypt.
 */
export function encode(properties: object, secrets: readonly string[] = []): Struct {
  const struct = new Struct();
  const fields = struct.getFieldsMap();
  for (const [key, value] of Object.entries(properties) as [string, unknown][]) {
    if (value === undefined) continue;
    const secret = secrets.includes(key) && value !== null && value !== UNKNOWN;
    fields.set(key, encodeValue(secret ? { [SIGNATURE]: SECRET, value } : value, key));
  }
  return struct;
}

function encodeValue(value: unknown, path: string): Value {
  const encoded = new Value();
  if (value === null || value === undefined) return encoded.setNullValue(NullValue.NULL_VALUE);
  if (typeof value === "string") return encoded.setStringValue(value);
  if (typeof value === "boolean") return encoded.setBoolValue(value);
  if (typeof value === "number" && Number.isFinite(value)) return encoded.setNumberValue(value);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => encodeValue(item, `${path}[${index}]`));
    return encoded.setListValue(new ListValue().setValuesList(items));
  }
  if (typeof value === "object" && isPlain(value)) {
    const struct = new Struct();
    const fields = struct.getFieldsMap();
    for (const [key, item] of Object.entries(value) as [string, unknown][]) {
      if (item !== undefined) fields.set(key, encodeValue(item, `${path}.${key}`));
    }
    return encoded.setStructValue(struct);
  }
  const found = typeof value === "object" ? `a ${value.constructor?.name ?? "strange object"}` : `${typeof value}`;
  throw new TypeError(`${path} of a resource cannot be sent to the engine: found ${found}; expected plain JSON`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
