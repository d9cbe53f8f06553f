import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { WorkQueue } from "../../../../service/runtimeResources/workQueue";

/** A queue whose work ends when the test says so. */
function held(options: { atOnce?: number; result?: (key: string) => Promise<number | undefined> } = {}) {
  const { atOnce = 2, result = () => Promise.resolve(undefined) } = options;
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  const errors: unknown[] = [];
  const queue = new WorkQueue({
    atOnce,
    failures: { firstMs: 5, mostMs: 5 },
    onError: (_key, error) => errors.push(error),
    work: async (key) => {
      begun.push(key);
      await new Promise<void>((resolve) => releases.push(resolve));
      return result(key);
    },
  });
  const release = async (): Promise<void> => {
    releases.shift()?.();
    await sleep(1);
  };
  return { queue, begun, errors, release };
}

describe("the queue of Runtimes", () => {
  it("works on several keys at once, and never twice at once on one", async () => {
    const { queue, begun, release } = held();
    for (const key of ["a", "a", "b", "c"]) queue.add(key);
    await sleep(1);
    assert.deepEqual(begun, ["a", "b"]);
    for (const key of ["a", "a"]) queue.add(key);
    await release();
    assert.deepEqual(begun, ["a", "b", "c"]);
    await release();
    // However often it was asked for meanwhile, it is worked on once more.
    assert.deepEqual(begun, ["a", "b", "c", "a"]);
    await release();
    await release();
    assert.deepEqual(begun, ["a", "b", "c", "a"]);
  });

  it("works on a key again after the pause that it asks for, or at once when it is asked for", async () => {
    const pauses = [10, 60_000, undefined];
    const { queue, begun, release } = held({ result: () => Promise.resolve(pauses.shift()) });
    queue.add("a");
    await release();
    await sleep(30);
    assert.equal(begun.length, 2);
    await release();
    queue.add("a");
    await sleep(1);
    assert.equal(begun.length, 3);
    await release();
  });

  it("works on a key again after an error", async () => {
    let failures = 2;
    const fail = () => (failures-- > 0 ? Promise.reject(new Error("no answer")) : Promise.resolve(undefined));
    const { queue, begun, errors, release } = held({ result: fail });
    queue.add("a");
    for (let turn = 0; turn < 3; turn++) {
      await release();
      await sleep(20);
    }
    assert.deepEqual([begun.length, errors.length], [3, 2]);
  });

  it("waits at its end for the work in progress, and begins no other", async () => {
    const { queue, begun, release } = held({ atOnce: 1 });
    queue.add("a");
    queue.add("b");
    await sleep(1);
    const ended = queue.end();
    queue.add("c");
    assert.equal(await Promise.race([ended.then(() => "ended"), sleep(5).then(() => "waits")]), "waits");
    await release();
    await ended;
    assert.deepEqual(begun, ["a"]);
  });
});
