import assert from "node:assert/strict";
import { parsePeriod, periodText } from "../../../../service/lifetimes/period";

describe("a period", () => {
  it("is written in days, hours, minutes and seconds", () => {
    for (const [text, seconds] of [
      ["1m", 60],
      ["90m", 5_400],
      ["36h", 129_600],
      ["7d", 604_800],
      ["1d12h", 129_600],
      ["60s", 60],
      ["3650d", 315_360_000],
    ] as const) {
      assert.equal(parsePeriod(text), seconds, text);
    }
  });

  it("is rejected in any other form, and if it is too short or too long", () => {
    const wrong = ["", "7", "7 d", "d", "-7d", "1.5h", "59s", "0m", "3651d", "12h1d", "7w", "P7D", "9999999999s"];
    for (const text of wrong) assert.equal(parsePeriod(text), undefined, text);
  });

  it("is shown in its longest units, and read back unchanged", () => {
    for (const [seconds, text] of [
      [5_400, "1h30m"],
      [129_600, "1d12h"],
      [604_800, "7d"],
      [61, "1m1s"],
    ] as const) {
      assert.equal(periodText(seconds), text);
      assert.equal(parsePeriod(text), seconds);
    }
  });
});
