/** Converts plain JSON to and from the protobuf structs in which the engine sends properties. */

import { ListValue, NullValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { isObject } from "../../json/isObject";
import { SECRET_MARK, SIGNATURE, UNKNOWN, UNKNOWNS } from "./marks";

/** Keys of decoded objects and lists with secrets: whether the value itself is one, or only contains one. */
const HIDDEN = new WeakMap<object, ReadonlyMap<string, boolean>>();

/** Decodes a struct, with secrets as plain values. Returns an empty object if there is none. */
export function decode(struct: Struct | undefined): Record<string, unknown> {
  return struct ? (plain(struct.toJavaScript()) as Record<string, unknown>) : {};
}

/** The engine has one placeholder per type of unknown value. Handlers see a single one. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return UNKNOWNS.has(value) ? UNKNOWN : value;
  if (typeof value !== "object" || value === null) return value;
  if (isSecret(value)) return plain(value.value);
  const hidden = new Map<string, boolean>();
  const entries = Object.entries(value).map(([key, inner]: [string, unknown]): [string, unknown] => {
    const known = plain(inner);
    if (isSecret(inner)) hidden.set(key, true);
    else if (typeof known === "object" && known !== null && HIDDEN.has(known)) hidden.set(key, false);
    return [key, known];
  });
  const known = Array.isArray(value) ? entries.map(([, inner]) => inner) : (Object.fromEntries(entries) as object);
  if (hidden.size > 0) HIDDEN.set(known, hidden);
  return known;
}

const isSecret = (value: unknown): value is { readonly value: unknown } =>
  typeof value === "object" && value !== null && SIGNATURE in value && value[SIGNATURE] === SECRET_MARK;

const asSecret = (value: unknown): unknown =>
  value === undefined || value === null || isSecret(value) ? value : { [SIGNATURE]: SECRET_MARK, value };

/**
 * Omits undefined values, as JSON does. Throws a TypeError for values that JSON can't represent. The engine must encrypt
 * the top-level properties named in `secrets`, and what is a secret at the same place of `inputs`, which were decoded.
 */
export function encode(properties: object, secrets: readonly string[] = [], inputs: object = {}): Struct {
  const struct = new Struct();
  const fields = struct.getFieldsMap();
  for (const [key, value] of Object.entries(likeInputs(properties, inputs)) as [string, unknown][]) {
    if (value === undefined) continue;
    fields.set(key, encodeValue(secrets.includes(key) && value !== UNKNOWN ? asSecret(value) : value, key));
  }
  return struct;
}

/** As the engine does for a provider that knows no secrets. */
function likeInputs(properties: object, inputs: object): object {
  const hidden = HIDDEN.get(inputs);
  if (hidden === undefined) return properties;
  const marked = Object.entries(properties).map(([key, value]: [string, unknown]): [string, unknown] => {
    const itself = hidden.get(key);
    if (itself === undefined) return [key, value];
    const input: unknown = Reflect.get(inputs, key);
    return [key, !itself && isObject(value) && isObject(input) ? likeInputs(value, input) : asSecret(value)];
  });
  return Object.fromEntries(marked);
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
