import assert from "node:assert/strict";
import fc from "fast-check";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { UNKNOWN, hasUnknown } from "../../../foundation/pulumi/resource";
import { decode, encode } from "../../../foundation/pulumi/protocol/values";

// JSON knows no minus zero, and google-protobuf no key named __proto__.
const key = fc.string().filter((name) => name !== "__proto__");
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value")),
    fc.dictionary(key, tie("value"), { noNullPrototype: true }),
  ),
})).value;
const object = fc.dictionary(key, json, { noNullPrototype: true });

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

describe("properties on the wire", () => {
  it("survive a round trip for any JSON", () => {
    fc.assert(fc.property(object, (value) => assert.deepEqual(decode(encode(value)), value)));
  });

  it("omit undefined values, and replace them with null in a list, like JSON", () => {
    assert.deepEqual(decode(encode({ a: undefined, b: { c: undefined }, d: [undefined, 1] })), { b: {}, d: [null, 1] });
  });

  it("decode to an empty object when there are none", () => {
    assert.deepEqual(decode(undefined), {});
  });

  it("have one mark for all unknown values", () => {
    const number = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
    const decoded = decode(encode({ a: number, b: [{ c: UNKNOWN }] }));
    assert.deepEqual(decoded, { a: UNKNOWN, b: [{ c: UNKNOWN }] });
    assert.ok(hasUnknown(decoded));
  });

  it("wrap secrets the way the engine expects", () => {
    const wrapped = encode({ key: "k", none: null, later: UNKNOWN, open: 1 }, ["key", "none", "later", "gone"]);
    assert.deepEqual(wrapped.toJavaScript(), { key: secret("k"), none: null, later: UNKNOWN, open: 1 });
  });

  it("unwrap secrets, and mark what is a secret at the same place of the inputs", () => {
    const inputs = decode(
      encode({ url: secret("u"), spec: { a: secret("b"), c: 1 }, list: [{ d: secret(2) }], open: 1 }),
    );
    assert.deepEqual(inputs, { url: "u", spec: { a: "b", c: 1 }, list: [{ d: 2 }], open: 1 });
    const state = { ...inputs, url: UNKNOWN, spec: { a: "e", c: 3 }, list: [4], made: "f" };
    assert.deepEqual(encode(state, [], inputs).toJavaScript(), {
      ...{ url: secret(UNKNOWN), spec: { a: secret("e"), c: 3 }, list: secret([4]), open: 1, made: "f" },
    });
  });

  it("reject values that are not JSON, with their path", () => {
    assert.throws(() => encode({ a: [{ b: NaN }] }), { message: /^a\[0\]\.b .* found number/ });
    assert.throws(() => encode({ a: new Date(0) }), { message: /^a .* found a Date; expected plain JSON/ });
    assert.throws(() => encode({ a: () => 1 }), { message: /^a .* found function/ });
  });
});

describe("the differences between two values", () => {
  it("are reported at the deepest path", () => {
    const old = { hosts: [{ host: "a", slots: 1, drain: false }, { host: "b" }], pool: "p", gone: 1 };
    const next = { hosts: [{ host: "a", slots: 2, drain: false }], pool: "q", "odd key": { x: 1 } };
    assert.deepEqual(changesBetween(old, next, ["pool"]), {
      "hosts[0].slots": "update",
      "hosts[1]": "delete",
      pool: "update-replace",
      gone: "delete",
      '["odd key"]': "add",
    });
  });

  it("treat null and undefined as equal", () => {
    assert.deepEqual(changesBetween({ a: null, b: { c: undefined } }, { b: { c: null } }), {});
  });

  it("include unknown values", () => {
    assert.deepEqual(changesBetween({ a: [1] }, { a: [UNKNOWN] }), { "a[0]": "update" });
  });

  it("are empty exactly for equal values", () => {
    const clean = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.array(fc.string()), fc.boolean()));
    fc.assert(fc.property(clean, (value) => assert.deepEqual(changesBetween(value, structuredClone(value)), {})));
    fc.assert(
      fc.property(clean, clean, (one, other) => {
        const same = Object.keys(changesBetween(one, other)).length === 0;
        assert.equal(same, JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
      }),
    );
  });
});

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

describe("an input check", () => {
  it("collects all faults with their paths and never shows a secret", () => {
    const check = new InputCheck(["c", "d"]);
    check.count("a", 1.5);
    check.text("b", undefined, "a text");
    check.text("c", "hunter2", "a URL", () => false);
    check.fail("c[0].x", ["hunter2"], "a URL");
    check.text("d", undefined, "a URL", () => false);
    check.keys("e", { known: 1, strange: 2, empty: null }, ["known"]);
    assert.deepEqual(check.failures, [
      { property: "a", reason: "found 1.5; expected a whole number, 1 or more" },
      { property: "b", reason: "found nothing; expected a text" },
      { property: "c", reason: "found something else (hidden, it is a secret); expected a URL" },
      { property: "c[0].x", reason: "found something else (hidden, it is a secret); expected a URL" },
      { property: "d", reason: "found nothing; expected a URL" },
      { property: "e.strange", reason: "found an unknown property; known are known" },
    ]);
  });

  it("accepts unknown values", () => {
    const check = new InputCheck(["a"]);
    check.count("a", UNKNOWN);
    check.positive("a", UNKNOWN);
    check.flag("a", UNKNOWN);
    check.text("a", UNKNOWN, "a text");
    assert.deepEqual(check.failures, []);
  });
});
