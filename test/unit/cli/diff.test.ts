import assert from "node:assert/strict";
import * as fc from "fast-check";
import { diff } from "../../../cli/terminal/diff";

describe("the difference between two texts", () => {
  it("shows changed lines with two lines of context, and marks skipped lines", () => {
    const before = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].join("\n");
    const after = ["a", "B", "c", "d", "e", "f", "g", "h", "i", "j"].join("\n");
    assert.deepEqual(diff(before, after), ["  a", "- b", "+ B", "  c", "  d", "…", "  h", "  i", "+ j"]);
  });

  it("is empty only if the texts have the same lines", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 })
      .map((lines) => lines.map((l) => `${l}\n`).join(""));
    fc.assert(fc.property(text, text, (one, other) => assert.equal(diff(one, other).length === 0, one === other)));
  });

  it("removes and adds as many lines as the texts differ by", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const shown = diff(before.join("\n"), after.join("\n"));
        const count = (sign: string) => shown.filter((line) => line.startsWith(sign)).length;
        assert.equal(before.length - count("-"), after.length - count("+"));
      }),
    );
  });
});
