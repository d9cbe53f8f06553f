import assert from "node:assert/strict";
import { colours, isColourful } from "../../../cli/terminal/colours";
import { ago, bytes, seconds } from "../../../foundation/text/numbers";
import { table } from "../../../cli/terminal/table";

describe("a table in the terminal", () => {
  it("aligns columns, with numbers on the right and without trailing spaces", () => {
    const text = table(
      [{ title: "ID" }, { title: "CPU", align: "right" }, { title: "HOST" }],
      [
        ["acme", "2", "http://a"],
        ["b", "16", ""],
      ],
    );
    assert.equal(text, ["ID    CPU  HOST", "acme    2  http://a", "b      16"].join("\n"));
  });

  it("ignores colour codes, and keeps a cell on one line", () => {
    const green = colours(true).good("ok");
    const lines = table(
      [{ title: "A" }, { title: "B" }],
      [
        [green, "x\n  y"],
        ["long", "z"],
      ],
    ).split("\n");
    assert.equal(lines[1], `${green}    x y`);
    assert.equal(lines[2], "long  z");
  });
});

describe("readable numbers", () => {
  it("show a duration in a suitable unit", () => {
    assert.deepEqual([840, 9960, 59_400, 60_000, 185_000].map(seconds), [
      "0.8 s",
      "10 s",
      "59 s",
      "1 min",
      "3 min 5 s",
    ]);
  });

  it("show an age in its largest unit, and never as negative", () => {
    const now = new Date("2026-01-10T00:00:00Z");
    const before = (value: number) => ago(new Date(now.getTime() - value * 1000), now);
    assert.deepEqual([5, 65, 3700, 47 * 3600, 72 * 3600, -5].map(before), [
      "5 s",
      "1 min",
      "1 h",
      "47 h",
      "3 d",
      "0 s",
    ]);
  });

  it("show bytes in a binary unit", () => {
    assert.deepEqual([40 * 2 ** 30, 1.5 * 2 ** 40, 512].map(bytes), ["40 GiB", "1.5 TiB", "512 B"]);
  });
});

describe("colours in the terminal", () => {
  it("are used only in terminals without NO_COLOR, or with FORCE_COLOR", () => {
    assert.equal(isColourful({ isTTY: true }, {}), true);
    assert.equal(isColourful({ isTTY: true }, { NO_COLOR: "1" }), false);
    assert.equal(isColourful({ isTTY: true }, { NO_COLOR: "" }), true);
    assert.equal(isColourful({ isTTY: true }, { TERM: "dumb" }), false);
    assert.equal(isColourful({}, {}), false);
    assert.equal(isColourful({}, { FORCE_COLOR: "1" }), true);
    assert.equal(isColourful({}, { NO_COLOR: "1", FORCE_COLOR: "1" }), false);
    for (const off of ["", "0"]) {
      assert.equal(isColourful({}, { FORCE_COLOR: off }), false);
      assert.equal(isColourful({ isTTY: true }, { FORCE_COLOR: off }), true);
    }
  });
});
