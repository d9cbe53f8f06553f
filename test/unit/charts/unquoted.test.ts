import assert from "node:assert/strict";
import fc from "fast-check";
import { load } from "js-yaml";
import { printedUnquoted } from "../../../components/clusterAutoscaler/plan";

/** What a template makes of a text that it prints without quotes. */
const printed = (text: unknown): unknown => {
  const { key } = printedUnquoted({ key: text });
  return (load(`key: ${String(key)}`) as { key: unknown }).key;
};

describe("a text that a template prints without quotes", () => {
  it("is parsed as text even if it looks like another type", () => {
    for (const text of [
      "true",
      "no",
      "null",
      "~",
      "",
      "8085",
      "1.5",
      "2026-10-01",
      "a: b",
      "[a]",
      "{a}",
      "# a",
      "a #b",
      "- a",
    ]) {
      assert.equal(printed(text), text);
    }
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^["']/.test(text)),
        (text) => printed(text) === text,
      ),
    );
  });

  it("is unchanged if it is unambiguous or quoted by its author", () => {
    const arn = "arn:aws:iam::123456789012:role/acme";
    assert.deepEqual(printedUnquoted({ arn, own: '"true"' }), { arn, own: '"true"' });
  });

  it("is created from a number or a boolean", () => {
    assert.deepEqual([printed(true), printed(8085)], ["true", "8085"]);
  });
});
