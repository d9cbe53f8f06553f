import assert from "node:assert/strict";
import { newEnough } from "../../../toolchain/bootstrap/node";
import { firstDifference } from "../../../toolchain/bootstrap/packages";
import { countResults, verdict } from "../../../toolchain/tests/results";

describe("Node.js", () => {
  it("is new enough from version 22.15 on, which has zstd", () => {
    assert.deepEqual(
      ["v20.19.0", "22.14.9", "22.15.0", "22.9.0", "v24.21.0", "23.0.0", "9.11.2"].map((version) => newEnough(version)),
      [false, false, true, false, true, true, false],
    );
  });
});

describe("the installed packages", () => {
  const lock = (packages: Record<string, object>): { packages: Record<string, object> } => ({
    packages: { "": {}, ...packages },
  });
  const wanted = lock({
    "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
    "node_modules/mac": { version: "2.0.0", optional: true },
  });

  it("are correct if every package has its version, except packages of other systems", () => {
    assert.equal(
      firstDifference(wanted, lock({ "node_modules/a": { version: "1.0.0", integrity: "sha512-a" } })),
      undefined,
    );
  });

  it("are wrong if a package is missing, or has another version or other content", () => {
    assert.equal(firstDifference(wanted, lock({})), "node_modules/a");
    assert.equal(firstDifference(wanted, lock({ "node_modules/a": { version: "1.0.1" } })), "node_modules/a");
    assert.equal(
      firstDifference(wanted, lock({ "node_modules/a": { version: "1.0.0", integrity: "sha512-b" } })),
      "node_modules/a",
    );
  });
});

describe("the closing line of make test", () => {
  it("adds up the counts of mocha in each layer", () => {
    const unit = countResults("  ok\n\n  12 passing (3s)\n  1 pending\n");
    const coloured = countResults(
      "\u001b[92m \u001b[0m\u001b[32m 3 passing\u001b[0m\u001b[90m (1s)\u001b[0m\n\u001b[31m  1 failing\u001b[0m\n",
    );
    assert.deepEqual([unit.skipped, coloured], [1, { passed: 3, failed: 1, skipped: 0 }]);
    const engine = countResults("  300 passing nonsense in a title\n\n  7 passing (2m)\n  2 failing\n\n  1) a\n");
    const outcomes = [unit, engine].map((results) => ({ ...results, title: "", printed: "", ms: 1, ok: true }));
    assert.equal(verdict(outcomes, outcomes, false).text, "\n19 passed, 2 failed\n");
  });

  it("counts nothing if mocha did not finish", () => {
    assert.deepEqual(countResults("Error: cannot load\n"), { passed: 0, failed: 0, skipped: 0 });
  });
});
