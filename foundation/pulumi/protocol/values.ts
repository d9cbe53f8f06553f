/** Converts plain JSON to and from the protobuf structs in which the engine sends properties. */

import { ListValue, NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { SECRET_MARK, SIGNATURE, UNKNOWN, UNKNOWNS } from "./marks";

/** Decodes a struct. Returns an empty object if there is none. */
export function decode(struct: Struct | undefined): Record<string, unknown> {
  return struct ? (withUnknowns(struct.toJavaScript()) as Record<string, unknown>) : {};
}

/** The engine has one placeholder per type of unknown value. Handlers see a single one. */
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
    fields.set(key, encodeValue(secret ? { [SIGNATURE]: SECRET_MARK, value } : value, key));
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
