import assert from "node:assert/strict";
import { failedResult, type Result } from "../../../../engine/runtime/result";
import { nextStep, rollOut, type RolloutItem, type RuntimeJob } from "../../../../engine/workers/rollout";

const items = (...states: [RolloutItem["state"], number][]) =>
  states.map(([state, wave], at) => ({ id: `d${at}`, state, wave }));
const begins = (...ids: string[]) => ({ do: "begin", ids });
const stepOf = (all: ReturnType<typeof items>, maxFailures?: number, parallel = 8) => {
  const step = nextStep(all, { parallel, maxFailures });
  return step.do === "begin" ? begins(...step.items.map(({ id }) => id)) : step;
};

describe("the next step of a rollout", () => {
  it("starts one wave after the other", () => {
    assert.deepEqual(stepOf(items(["open", 1], ["open", 2], ["open", 2])), begins("d0"));
    assert.deepEqual(stepOf(items(["running", 1], ["open", 2])), { do: "wait" });
    assert.deepEqual(stepOf(items(["succeeded", 1], ["open", 2], ["open", 3])), begins("d1"));
    assert.deepEqual(stepOf(items(["open", 3], ["succeeded", 1], ["open", 2])), begins("d2"));
  });

  it("runs as many items at once as allowed", () => {
    assert.deepEqual(stepOf(items(["open", 1], ["open", 1], ["open", 1]), 0, 2), begins("d0", "d1"));
    assert.deepEqual(stepOf(items(["running", 1], ["open", 1], ["open", 1]), 0, 2), begins("d1"));
    assert.deepEqual(stepOf(items(["running", 1], ["running", 1], ["open", 1]), 0, 2), { do: "wait" });
  });

  it("starts nothing after too many failures, within a wave too, and waits for what runs", () => {
    assert.deepEqual(stepOf(items(["failed", 1], ["running", 1], ["open", 1]), 0), { do: "wait" });
    assert.deepEqual(stepOf(items(["failed", 1], ["open", 1], ["open", 2]), 0), { do: "end", tooManyFailed: true });
    assert.deepEqual(stepOf(items(["failed", 1], ["open", 1], ["open", 2]), 1), begins("d1"));
    assert.deepEqual(stepOf(items(["failed", 1], ["failed", 1], ["open", 2])), begins("d2"));
  });

  it("ends when nothing is left", () => {
    assert.deepEqual(stepOf([]), { do: "end", tooManyFailed: false });
    assert.deepEqual(stepOf(items(["succeeded", 1], ["failed", 1]), 1), { do: "end", tooManyFailed: false });
    assert.deepEqual(stepOf(items(["failed", 1]), 0), { do: "end", tooManyFailed: true });
  });
});

describe("a rollout", () => {
  const job = (id: string): RuntimeJob => ({
    request: { id, change: { deployment: {} } },
    defaultPlatform: "organization/stackyard/dev",
  });
  const WAVES = [["a", "b"], ["c", "d"], ["e"]].map((ids) => ids.map(job));

  interface Case {
    readonly bad?: readonly string[];
    readonly maxFailures?: number;
    readonly parallel?: number;
    /** Ctrl-C comes when this one has ended. */
    readonly stop?: string;
  }

  /** What ended in which order, what did not start, and the largest number of jobs at once. */
  async function outcome({ bad = [], maxFailures, parallel = 1, stop }: Case) {
    const waves: number[] = [];
    const ended: string[] = [];
    let most = 0;
    let isStopped = false;
    const run = async ({ request: { id } }: RuntimeJob): Promise<Result> => {
      await new Promise(setImmediate);
      if (bad.includes(id)) throw new Error("no room");
      return { ...failedResult(id, "", 0), ok: true };
    };
    const { notBegun, tooManyFailed } = await rollOut(
      WAVES,
      {
        parallel,
        maxFailures,
        onWave: (number) => waves.push(number),
        onBegin: (ids) => (most = Math.max(most, ids.length)),
        onResult: ({ id }) => {
          ended.push(id);
          isStopped ||= id === stop;
        },
        isStopped: () => isStopped,
      },
      run,
    );
    const left = notBegun.map(({ request }) => request.id).join("");
    return [ended.join(""), left, tooManyFailed, waves.length, most];
  }

  it("runs all waves", async () => {
    assert.deepEqual(await outcome({ maxFailures: 0 }), ["abcde", "", false, 3, 1]);
    assert.deepEqual(await outcome({ maxFailures: 0, parallel: 9 }), ["abcde", "", false, 3, 2]);
    assert.deepEqual(await outcome({ bad: ["a", "b", "c"] }), ["abcde", "", false, 3, 1]);
  });

  it("starts no other runtime after too many failures", async () => {
    assert.deepEqual(await outcome({ bad: ["a"], maxFailures: 0 }), ["a", "bcde", true, 1, 1]);
    assert.deepEqual(await outcome({ bad: ["a", "c"], maxFailures: 1 }), ["abc", "de", true, 2, 1]);
    assert.deepEqual(await outcome({ bad: ["b"], maxFailures: 0 }), ["ab", "cde", true, 1, 1]);
    assert.deepEqual(await outcome({ bad: ["a"], maxFailures: 0, parallel: 2 }), ["ab", "cde", true, 1, 2]);
  });

  it("starts no other runtime after Ctrl-C, and waits for those in progress", async () => {
    assert.deepEqual(await outcome({ stop: "c" }), ["abc", "de", false, 2, 1]);
    assert.deepEqual(await outcome({ stop: "a", parallel: 2 }), ["ab", "cde", false, 1, 2]);
  });
});
