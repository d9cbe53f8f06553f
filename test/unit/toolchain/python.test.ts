import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isNewEnough } from "../../../toolchain/python/environment";

const locks = join(__dirname, "../../../toolchain/python/locks");

describe("Python", () => {
  it("is new enough from version 3.10 on", () => {
    assert.deepEqual(["3.10.0", "3.11.7", "3.14.1"].map(isNewEnough), [true, true, true]);
    assert.deepEqual(["2.7.18", "3.9.9", "", "4.0.0"].map(isNewEnough), [false, false, false, false]);
  });

  for (const lock of globSync("*.txt", { cwd: locks })) {
    it(`packages of ${lock} are pinned with digests, and match the .in file`, () => {
      const text = readFileSync(join(locks, lock), "utf8");
      const entries = text
        .replace(/^#.*\n/gm, "")
        .split(/\n(?=\S)/)
        .filter((entry) => entry.trim() !== "");
      const loose = entries.filter((entry) => !/^[\w.-]+==\S+.*\\\n\s+--hash=sha256:[0-9a-f]{64}/.test(entry));
      assert.deepEqual(loose, []);
      const asked = readFileSync(join(locks, lock.replace(/txt$/, "in")), "utf8")
        .trim()
        .split("\n");
      // What a package includes besides is in the lock by itself, without the name of the extra.
      for (const line of asked.map((each) => each.replace(/\[.*\]/, ""))) {
        assert.ok(
          entries.some((entry) => entry.startsWith(`${line} `)),
          line,
        );
      }
    });
  }
});
