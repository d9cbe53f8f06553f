import assert from "node:assert/strict";
import { announcement, dryRunText } from "../../../cli/runtime/many";
import { VERBS } from "../../../cli/fleet/verbs";

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${index + 1}`);

describe("the announcement of an operation on many runtimes", () => {
  it("has the number of runtimes, their ids, and the limit of failures", () => {
    assert.equal(announcement({ verb: VERBS.destroy, waves: [["a"]] }), "destroy 1 runtime: a");
    assert.equal(
      announcement({ verb: VERBS.up, waves: [["a"], ["b", "c"]], maxFailures: 0 }),
      "deploy 3 runtimes in 2 waves of 1, 2, until one fails: a, b, c",
    );
    assert.match(
      announcement({ verb: VERBS.up, waves: [ids(3)], maxFailures: 2 }),
      /, until more than 2 fail: r1, r2, r3$/,
    );
    assert.match(announcement({ verb: VERBS.wake, waves: [ids(25)] }), / r20 and 5 more \(--dry-run shows all\)$/);
  });

  it("lists all runtimes in a dry run", () => {
    assert.equal(dryRunText({ verb: VERBS.wake, waves: [ids(30)] }).split("\n").length, 31);
    assert.equal(
      dryRunText({ verb: VERBS.up, waves: [["a"], ["b", "c"]] }),
      "would deploy 3 runtimes in 2 waves:\nwave 1 (1)\n  a\nwave 2 (2)\n  b\n  c",
    );
  });
});
