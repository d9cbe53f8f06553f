import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { shellLine } from "../../../cli/ray/submit";

describe("the command of a Ray job", () => {
  it("is one line that a shell splits into the same words", () => {
    assert.equal(shellLine(["python", "job.py", "--day=2026-11-01"]), "python job.py --day=2026-11-01");
    assert.equal(shellLine(["sh", "-c", "echo $HOME"]), "sh -c 'echo $HOME'");
  });

  it("keeps every word, whatever it contains", () => {
    const word = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const line = shellLine(["printf", "%s\\0", ...words]);
        const text = execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" });
        assert.deepEqual(text.split("\0").slice(0, -1), words);
      }),
      { numRuns: 50 },
    );
  });
});
