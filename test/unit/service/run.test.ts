import assert from "node:assert/strict";
import { backOff } from "../../../service/operations/run/backoff";
import { classify } from "../../../service/operations/run/classify";
import { fullChange } from "../../../service/operations/run/deploymentStages";
import { brokenFailure, failureOf } from "../../../service/operations/run/failure";
import { isGone } from "../../../service/operations/run/owner";
import { hostname } from "node:os";

describe("a stage that failed", () => {
  it("is tried again after twice the time, up to a limit, and never by all at the same moment", () => {
    const limits = { firstMs: 1000, mostMs: 8000 };
    const waits = (chance: number) => [1, 2, 3, 4, 5].map((attempt) => backOff(attempt, limits, () => chance));
    assert.deepEqual(waits(0), [1000, 2000, 4000, 8000, 8000]);
    assert.deepEqual(waits(1), [500, 1000, 2000, 4000, 4000]);
  });

  const passing: readonly (readonly [string, string, string])[] = [
    ["somebody else is working on this stack: pid 1 of ann on laptop, since now. Wait", "UNAVAILABLE", "state"],
    ["the engine (pulumi) was ended by SIGKILL in the middle of the update", "UNAVAILABLE", "engine"],
    ["a provider ended in the middle (error reading from server: EOF)", "UNAVAILABLE", "engine"],
    ["connect ECONNREFUSED 127.0.0.1:6443", "UNAVAILABLE", "cluster"],
    ["the state database db/x cannot be reached: timeout", "UNAVAILABLE", "database"],
  ];
  for (const [reason, code, component] of passing) {
    it(`is tried again where it may pass: ${reason}`, () => {
      const { error, passes } = classify([reason]);
      assert.deepEqual([error.code, error.component, passes, error.retryable], [code, component, true, true]);
    });
  }

  const final: readonly (readonly [string, string])[] = [
    ['deployment "a": found provisioner "x"; expected one of the platform\'s set: y', "BAD_INPUT"],
    ['deployment "a" is with provisioner "y"; found "x" wanted, and a move is only made when asked for.', "CONFLICT"],
    ["pod runtime-a-0: the image example/runtime:9 cannot be pulled", "PROVISIONING_FAILED"],
  ];
  for (const [reason, code] of final) {
    it(`is final where trying again would not help: ${reason}`, () => {
      const { error, passes } = classify([reason]);
      assert.deepEqual([error.code, error.reason, passes], [code, reason, false]);
    });
  }

  it("is tried again where its worker died, and not where it hung or grew", () => {
    const passes = (broken: "died" | "timeout" | "memory") => brokenFailure({ broken, reason: "so" }).failure.passes;
    assert.deepEqual([passes("died"), passes("timeout"), passes("memory")], [true, false, false]);
    assert.equal(brokenFailure({ broken: "timeout", reason: "so" }).failure.error.code, "TIMEOUT");
  });

  it("says nothing of a fault of ours but its first line", () => {
    const { error, passes } = failureOf(new TypeError("undefined is not a function\n    at secret (/a.ts:1:2)"));
    assert.deepEqual([error.code, passes], ["INTERNAL", false]);
    assert.doesNotMatch(error.reason, /secret/);
  });
});

describe("an operation that is taken over", () => {
  it("was its process', which is gone for certain only on this host", () => {
    const me = `${hostname()}:${process.pid}:a`;
    assert.equal(isGone(me, me), false);
    assert.equal(isGone(`${hostname()}:${process.pid}:b`, me), true);
    assert.equal(isGone(`${hostname()}:${process.ppid}:b`, me), false);
    assert.equal(isGone(`elsewhere:${process.pid}:b`, me), false);
  });

  it("gives a stack that has nothing yet all of the request", () => {
    const desiredConfig = { platform: "organization/stackyard/dev", deployment: { version: "1", slots: 2 } };
    assert.deepEqual(fullChange({ desiredConfig }, { deployment: { slots: 3 }, move: "b" }), {
      ...desiredConfig,
      move: "b",
    });
  });
});
