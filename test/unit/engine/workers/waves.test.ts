import assert from "node:assert/strict";
import { inWaves, parseWaves } from "../../../../engine/workers/waves";

const sizes = (total: number, text: string | undefined): number[] =>
  inWaves(
    Array.from({ length: total }, (_, index) => index),
    text === undefined ? undefined : parseWaves(text),
  ).map(({ length }) => length);

describe("the waves of a rollout", () => {
  it("have one size, or grow to given totals", () => {
    assert.deepEqual(sizes(7, "3"), [3, 3, 1]);
    assert.deepEqual(sizes(6, "3"), [3, 3]);
    assert.deepEqual(sizes(20, "25%"), [5, 5, 5, 5]);
    assert.deepEqual(sizes(20, "10%,50%,100%"), [2, 8, 10]);
    assert.deepEqual(sizes(20, "1,10%,50%"), [1, 1, 8, 10]);
    assert.deepEqual(sizes(20, "5,2,30"), [5, 15]);
    assert.deepEqual(sizes(3, "1%"), [1, 1, 1]);
    assert.deepEqual(sizes(4, undefined), [4]);
    assert.deepEqual(sizes(0, "3"), []);
  });

  it("contain every item exactly once", () => {
    const items = Array.from({ length: 23 }, (_, index) => index);
    for (const text of ["1", "4", "7%", "100%", "1,2,3", "10%,50%", "30,5,100%"]) {
      assert.deepEqual(inWaves(items, parseWaves(text)).flat(), items, text);
    }
  });

  it("are rejected if they are invalid", () => {
    for (const text of ["", "0", "-1", "x", "5,", "101%", "0%", "1.5", "10 %"]) {
      assert.throws(() => parseWaves(text), { name: "UsageError", message: /--wave: found .*; expected/ }, text);
    }
  });
});
