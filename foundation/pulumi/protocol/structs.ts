/**
 * Makes this process read the structs of properties from the engine directly into plain values. google-protobuf creates
 * a message, an array and a map for each value, which took 20 % of the provider's time in an update without changes.
 * Code that reads the fields of such a message still works. Import this file before the first request.
 */

import type { BinaryReader } from "google-protobuf";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

type Plain = null | number | string | boolean | Plain[] | { [key: string]: Plain };
type PlainStruct = Record<string, Plain>;

/** Field numbers of google.protobuf.Value, from struct.proto. */
const NULL = 1;
const NUMBER = 2;
const STRING = 3;
const BOOL = 4;
const STRUCT = 5;
const LIST = 6;

/** Plain values of structs whose fields were not read as messages. */
const received = new WeakMap<Struct, PlainStruct>();

/**
 * The plain value of a received struct; undefined for a struct that was created here, or whose fields were read as
 * messages.
 */
export const plainOf = (struct: Struct): Readonly<Record<string, unknown>> | undefined => received.get(struct);

const { getFieldsMap, toJavaScript } = Struct.prototype as {
  readonly getFieldsMap: (this: Struct, ...rest: []) => ReturnType<Struct["getFieldsMap"]>;
  readonly toJavaScript: (this: Struct) => ReturnType<Struct["toJavaScript"]>;
};

Struct.deserializeBinaryFromReader = (message, reader) => {
  // A message that arrives in two parts is merged, as protobuf requires.
  received.set(message, { ...received.get(message), ...readFields(reader) });
  return message;
};

Struct.prototype.getFieldsMap = function (this: Struct, ...rest: []) {
  const fields = received.get(this);
  if (fields) {
    received.delete(this);
    const own = getFieldsMap.call(this);
    getFieldsMap.call(Struct.fromJavaScript(fields)).forEach((value, key) => own.set(key, value));
  }
  return getFieldsMap.apply(this, rest);
};

Struct.prototype.toJavaScript = function (this: Struct) {
  const fields = received.get(this);
  return fields ? structuredClone(fields) : toJavaScript.call(this);
};

function readFields(reader: BinaryReader): PlainStruct {
  const entries: [string, Plain][] = [];
  while (reader.nextField() && !reader.isEndGroup()) {
    if (reader.getFieldNumber() === 1) entries.push(nested(reader, readEntry));
    else reader.skipField();
  }
  // The engine sends entries in no particular order. The map of google-protobuf sorts them like this.
  entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return Object.fromEntries(entries);
}

function readEntry(reader: BinaryReader): [string, Plain] {
  let key = "";
  let value: Plain = null;
  while (reader.nextField() && !reader.isEndGroup()) {
    if (reader.getFieldNumber() === 1) key = reader.readString();
    else if (reader.getFieldNumber() === 2) value = nested(reader, readValue);
    else reader.skipField();
  }
  return [key, value];
}

function readValue(reader: BinaryReader): Plain {
  let value: Plain = null;
  while (reader.nextField() && !reader.isEndGroup()) {
    const field = reader.getFieldNumber();
    if (field === NUMBER) value = reader.readDouble();
    else if (field === STRING) value = reader.readString();
    else if (field === BOOL) value = reader.readBool();
    else if (field === STRUCT) value = nested(reader, readFields);
    else if (field === LIST) value = nested(reader, readList);
    else reader.skipField();
    if (field === NULL) value = null;
  }
  return value;
}

function readList(reader: BinaryReader): Plain[] {
  const items: Plain[] = [];
  while (reader.nextField() && !reader.isEndGroup()) {
    if (reader.getFieldNumber() === 1) items.push(nested(reader, readValue));
    else reader.skipField();
  }
  return items;
}

/** Returns what `read` makes of the next message. `readMessage` itself returns nothing, hence the holder. */
function nested<Result>(reader: BinaryReader, read: (reader: BinaryReader) => Result): Result {
  const holder: { result?: Result } = {};
  reader.readMessage(holder, (_into, inner) => {
    holder.result = read(inner);
  });
  return holder.result as Result;
}
