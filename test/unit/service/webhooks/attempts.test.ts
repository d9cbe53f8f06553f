import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { backOff } from "../../../../foundation/backOff";
import { ATTEMPTS, WAIT } from "../../../../service/webhooks/webhooks";
import { projectRoot } from "../../../../toolchain/root";

describe("an undelivered message", () => {
  it("is retried for about half a day, as documented", () => {
    const text = readFileSync(join(projectRoot(), "docs", "service-operations.md"), "utf8");
    assert.match(text, new RegExp(`up to ${ATTEMPTS} times in all, over about half\\s+a day`));
    const waits = Array.from({ length: ATTEMPTS - 1 }, (_, at) => backOff(at + 1, WAIT, () => 0.5));
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    assert.ok(hours > 10 && hours < 13, `${hours} hours`);
  });
});
