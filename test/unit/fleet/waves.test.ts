import assert from "node:assert/strict";
import { rollOut } from "../../../cli/fleet/rollout";
import { inWaves, parseWaves } from "../../../engine/workers/waves";
import type { RuntimeJob, PoolOptions } from "../../../engine/workers/pool";

const sizes = (total: number, text: string | undefined): number[] =>
  inWaves(
    Array.from({ length: total }, (_, index) => index),
    text === undefined ? undefined : parseWaves(text),
  ).map(({ length }) => length);

describe("waves", () => {
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

describe("rollout", () => {
  const job = (id: string): RuntimeJob => ({
    request: { id, change: { deployment: {} } },
    defaultPlatform: "organization/stackyard/dev",
  });
  const waves = [["a", "b"], ["c", "d"], ["e"]].map((ids) => ids.map(job));

  /** Like the worker pool, one at a time; the ids in `bad` fail, and Ctrl-C comes before `stop`. */
  const pool = (bad: string[], stop?: string) => (jobs: readonly RuntimeJob[], options: PoolOptions) => {
    const waiting = [...jobs];
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { id } = next.request;
      if (options.isStopped?.() === true || id === stop) break;
      waiting.shift();
      options.onResult({ id, ok: !bad.includes(id), milliseconds: 1, changes: {}, outputs: {}, errors: [], notes: [] });
    }
    return Promise.resolve(waiting);
  };
  const outcome = async (bad: string[], maxFailures?: number, stop?: string) => {
    const begun: number[] = [];
    const options = { parallel: 1, maxFailures, onWave: (wave: number) => begun.push(wave), onResult: () => undefined };
    const { results, notBegun, tooManyFailed } = await rollOut(waves, options, pool(bad, stop));
    return [results.map(({ id }) => id).join(""), notBegun.join(""), tooManyFailed, begun.length];
  };

  it("runs all waves", async () => {
    assert.deepEqual(await outcome([], 0), ["abcde", "", false, 3]);
  });

  it("starts no other runtime after too many failures", async () => {
    assert.deepEqual(await outcome(["a"], 0), ["a", "bcde", true, 1]);
    assert.deepEqual(await outcome(["a", "c"], 1), ["abc", "de", true, 2]);
    assert.deepEqual(await outcome(["b"], 0), ["ab", "cde", true, 1]);
    assert.deepEqual(await outcome(["a", "b", "c"]), ["abcde", "", false, 3]);
  });

  it("starts no other wave after Ctrl-C", async () => {
    assert.deepEqual(await outcome([], 0, "d"), ["abc", "de", false, 2]);
  });
});
