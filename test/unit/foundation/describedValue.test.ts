import assert from "node:assert/strict";
import { describe as described, FOREIGN_SECRET, valueAt } from "../../../foundation/schema/describe";

describe("the value that a fault describes", () => {
  it("is shown by its kind or its text", () => {
    const cases: [unknown, string][] = [
      [undefined, "nothing"],
      [null, "null"],
      [[], "an empty list"],
      [[1, 2], "a list of 2"],
      [{}, "an empty object"],
      [{ a: 1 }, "an object"],
      ["", '""'],
      ["text", '"text"'],
      [0, "0"],
      [false, "false"],
    ];
    for (const [value, expected] of cases) assert.equal(described(value, false), expected);
  });

  it("is shown by its kind only if it is secret", () => {
    assert.equal(described("", true), "an empty text");
    assert.equal(described("hush", true), "a text");
    assert.equal(described(7, true), "a number");
    assert.equal(described({ password: "hush" }, true), "an object");
  });

  it("is cut after 80 characters", () => {
    const [longest, longer] = ["a".repeat(80), "a".repeat(81)];
    assert.equal(described(longest, false), `"${longest}"`);
    assert.equal(described(longer, false), `"${longest}…"`);
  });

  it("is shown without what may be a password, and not as a document", () => {
    assert.equal(described("postgres://ann:hush@db/x", false), '"postgres://…@db/x"');
    assert.equal(described("ann:hush@db", false), '"…@db"');
    assert.equal(described(`acme/web:1@sha256:${"a".repeat(8)}`, false), '"acme/web:1@sha256:aaaaaaaa"');
    assert.equal(described("https://db/?key=hush&more=too", false), '"https://db/?key=…&more=…"');
    for (const text of ["a\nb", "{a"]) assert.equal(described(text, false), "a text that looks like a document");
  });

  it("is found at its path, and not in what it inherits", () => {
    const config = { pools: [{ name: "one" }] };
    assert.equal(valueAt(config, []), config);
    assert.equal(valueAt(config, ["pools", 0, "name"]), "one");
    for (const path of [["pools", 1], ["pools", 0, "name", "length"], ["toString"], ["none", "name"]])
      assert.equal(valueAt(config, path), undefined);
  });

  it("is probably secret by the name of its field", () => {
    for (const name of ["passwd", "adminPassword", "api-key", "accessKey", "dockerConfigJson", "privateKey"])
      assert.match(name, FOREIGN_SECRET);
    for (const name of ["path", "keyboard", "replicas"]) assert.doesNotMatch(name, FOREIGN_SECRET);
  });
});
