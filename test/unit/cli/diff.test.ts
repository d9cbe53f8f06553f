import assert from "node:assert/strict";
import * as fc from "fast-check";
import { diff } from "../../../cli/terminal/diff";

describe("difference of two texts", () => {
  it("shows changed lines with two around, and a mark where lines are skipped", () => {
    const before = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].join("\n");
    const after = ["a", "B", "c", "d", "e", "f", "g", "h", "i", "j"].join("\n");
    assert.deepEqual(diff(before, after), ["  a", "- b", "+ B", "  c", "  d", "…", "  h", "  i", "+ j"]);
  });

  it("is empty exactly when the texts have the same lines", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 })
      .map((lines) => lines.map((l) => `${l}\n`).join(""));
    fc.assert(fc.property(text, text, (one, other) => assert.equal(diff(one, other).length === 0, one === other)));
  });

  it("removes and adds just what leads from one to the other", () => {
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
