import assert from "node:assert/strict";
import { identityFaults } from "../../../../service/runtimeResources/own";
import { deletionStepOf, stepOf, type Going, type Known } from "../../../../service/runtimeResources/step";

const GONE = { deletedAt: new Date(0) };
const THERE = { deletedAt: null };
const NOW = new Date("2026-11-28T00:00:00Z");
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

describe("what a Runtime needs next", () => {
  const step = (more: Partial<Known>) =>
    stepOf({
      ...{ deployment: THERE, newest: operation("update", "succeeded"), requested: 2, generation: 2 },
      ...{ again: false, paused: false, ...more },
    });
  const operation = (
    kind: "provision" | "update" | "deprovision" | "hibernate",
    state: "succeeded" | "failed" | "pending",
  ) => ({
    ...{ id: "op-1", kind, state, requestedBy: "ann" },
  });

  for (const [what, known, expected] of [
    ["its deployment, at first", { deployment: undefined, newest: undefined, requested: undefined }, "provision"],
    ["an update, when its spec has changed", { generation: 3 }, "update"],
    ["an update, when somebody asks for it again", { again: true }, "update"],
    [
      "its deployment, after a provisioning that left nothing",
      { deployment: GONE, newest: operation("provision", "failed"), generation: 3 },
      "provision",
    ],
    ["nothing while its spec is as it was, even after a failure", { newest: operation("update", "failed") }, "rest"],
    [
      "nothing after a provisioning that left nothing, while its spec is as it was",
      { deployment: GONE, newest: operation("provision", "failed") },
      "rest",
    ],
    ["nothing when others have changed the deployment", { newest: operation("hibernate", "succeeded") }, "rest"],
    [
      "to wait while an operation of anybody runs",
      { generation: 3, newest: operation("hibernate", "pending") },
      "wait",
    ],
    ["nothing while it is paused", { generation: 3, paused: true }, "rest"],
    [
      "nothing while it is paused before the first request",
      { deployment: undefined, newest: undefined, requested: undefined, paused: true },
      "rest",
    ],
  ] as const) {
    it(`is ${what}`, () => {
      const found = step(known);
      assert.equal(found.do === "request" ? found.kind : found.do, expected);
    });
  }

  it("is to be deleted, when somebody else has deprovisioned its deployment, whatever its spec is", () => {
    const known = { deployment: GONE, newest: operation("deprovision", "succeeded"), generation: 3, again: true };
    assert.deepEqual(step(known), {
      do: "refuse",
      reason:
        "the runtime was deprovisioned by operation op-1 of ann; delete this Runtime, and create another one for a new cluster",
    });
  });
});

describe("what a Runtime that is being deleted needs next", () => {
  const NONE = { endedAt: null, cancelRequestedAt: null };
  const own = (more: object) => ({
    ...{ id: "op-1", requestedBy: "runtimes", kind: "provision" as const, state: "in_progress" as const },
    ...NONE,
    ...more,
  });
  const step = (more: Partial<Going>) =>
    deletionStepOf({ deployment: THERE, newest: own({}), actor: "runtimes", now: NOW, ...more });

  for (const [what, going, expected] of [
    ["its release, if it was never requested", { deployment: undefined, newest: undefined }, "release"],
    ["its release, when its deployment is gone", { deployment: GONE }, "release"],
    ["the end of its own operation", {}, "cancel"],
    ["to wait until its own operation is canceled", { newest: own({ cancelRequestedAt: NOW }) }, "wait"],
    ["a deletion behind the operation of somebody else", { newest: own({ requestedBy: "ann" }) }, "deprovision"],
    ["a deletion", { newest: own({ state: "succeeded" }) }, "deprovision"],
    [
      "to wait while it is deprovisioned, by whomever",
      { newest: own({ kind: "deprovision", requestedBy: "ann" }) },
      "wait",
    ],
    [
      "to wait some minutes after a deletion that failed",
      { newest: own({ kind: "deprovision", state: "failed", endedAt: ago(9) }) },
      "wait",
    ],
    [
      "another deletion then",
      { newest: own({ kind: "deprovision", state: "failed", endedAt: ago(10) }) },
      "deprovision",
    ],
  ] as const) {
    it(`is ${what}`, () => assert.equal(step(going as Partial<Going>).do, expected));
  }
});

describe("the identity of a Runtime", () => {
  it("is that of its first request", () => {
    const deployment = { name: "one", tenant: "red" };
    assert.deepEqual(identityFaults({ id: "one", tenant: "red" }, deployment), []);
    assert.deepEqual(identityFaults({ id: "other", tenant: "blue" }, deployment), [
      'metadata.labels["kyma-project.io/runtime-id"]: found "other"; expected "one", which the runtime keeps',
      'metadata.labels["kyma-project.io/global-account-id"]: found "blue"; expected "red", which the runtime keeps',
    ]);
    assert.deepEqual(identityFaults({ id: "other", tenant: "blue" }, undefined), []);
  });
});
