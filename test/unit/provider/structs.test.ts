import assert from "node:assert/strict";
import fc from "fast-check";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import { plainOf } from "../../../foundation/pulumi/protocol/structs";
import { decode } from "../../../foundation/pulumi/protocol/values";

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ unit: "binary" }), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
  ),
})).value;
const object = fc
  .dictionary(fc.string(), json, { noNullPrototype: true })
  // google-protobuf writes no key named __proto__, and JSON knows no minus zero.
  .map(
    (value) =>
      JSON.parse(
        JSON.stringify(value, (key, inner) => (key === "__proto__" ? undefined : (inner as unknown))),
      ) as Plain,
  );

type Plain = Record<string, never>;
const received = (value: Plain): Struct => Struct.deserializeBinary(Struct.fromJavaScript(value).serializeBinary());

describe("a struct that was received", () => {
  it("is read into the values that were sent", () => {
    fc.assert(
      fc.property(object, (value) => {
        const struct = received(value);
        assert.deepEqual(plainOf(struct), value);
        assert.deepEqual(decode(struct), value);
        assert.deepEqual(struct.toJavaScript(), value);
      }),
    );
  });

  it("gives its fields to those who ask for them", () => {
    fc.assert(
      fc.property(object, (value) => {
        const struct = received(value);
        const keys = struct
          .getFieldsMap()
          .getEntryList()
          .map(([key]) => key);
        assert.deepEqual(keys.sort(), Object.keys(value).sort());
        assert.deepEqual(struct.toJavaScript(), value);
        assert.deepEqual(decode(struct), value);
        assert.deepEqual(received(struct.toJavaScript() as Plain).toJavaScript(), value);
      }),
    );
  });

  it("has the changes of its fields", () => {
    const struct = received({ a: 1, b: 2 } as unknown as Plain);
    struct.getFieldsMap().set("a", Value.fromJavaScript("changed"));
    assert.deepEqual(struct.toJavaScript(), { a: "changed", b: 2 });
    assert.deepEqual(received(struct.toJavaScript() as Plain).toJavaScript(), { a: "changed", b: 2 });
  });

  it("is the same each time, whatever one reader does with it", () => {
    const struct = received({ list: [1, { deep: true }] } as unknown as Plain);
    (struct.toJavaScript()["list"] as unknown[]).pop();
    assert.deepEqual(struct.toJavaScript(), { list: [1, { deep: true }] });
  });

  it("has its fields in the order of their names, in whatever order they came", () => {
    const [a, b] = [Struct.fromJavaScript({ a: 1 }), Struct.fromJavaScript({ b: 2 })].map((one) =>
      one.serializeBinary(),
    );
    const struct = Struct.deserializeBinary(Buffer.concat([b!, a!]));
    assert.deepEqual(Object.keys(decode(struct)), ["a", "b"]);
  });

  it("ignores fields that a newer engine may send, and takes the last of what comes twice", () => {
    // Field 9, a varint: unknown in a struct, in an entry and in a value.
    const unknown = [0x48, 0x01];
    const value = (text: string) => [0x1a, text.length, ...Buffer.from(text)];
    const entry = (...content: number[]) => [0x0a, content.length, ...content];
    const once = (text: string) => {
      const inner = [...unknown, ...value("first"), ...value(text)];
      return entry(...unknown, 0x0a, 1, 0x61, 0x12, inner.length, ...inner);
    };
    const struct = Struct.deserializeBinary(Uint8Array.from([...unknown, ...once("old"), ...once("new")]));
    assert.deepEqual(decode(struct), { a: "new" });
  });

  it("has one mark for all that is not known yet", () => {
    const number = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
    assert.deepEqual(decode(received({ a: [{ b: number }] } as unknown as Plain)), { a: [{ b: UNKNOWN }] });
  });

  it("fails where its bytes end too early", () => {
    const bytes = Struct.fromJavaScript({ key: "a long text" }).serializeBinary();
    assert.throws(() => Struct.deserializeBinary(bytes.slice(0, -3)));
  });
});
