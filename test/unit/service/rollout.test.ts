import assert from "node:assert/strict";
import { nextStep, type Item } from "../../../service/rollouts/step";

const items = (...states: [Item["state"], number?][]): Item[] =>
  states.map(([state, wave], index) => ({ deploymentId: `d${index}`, state, wave: wave ?? null }));

describe("a rollout", () => {
  it("starts one wave after another, and no wave while one runs", () => {
    const waiting = items(["unchanged"], ["changes", 1], ["changes", 2], ["changes", 2]);
    assert.deepEqual(nextStep(waiting, 0), { do: "begin", items: ["d1"] });
    assert.deepEqual(nextStep(items(["running", 1], ["changes", 2]), 0), { do: "wait" });
    assert.deepEqual(nextStep(items(["succeeded", 1], ["changes", 2], ["changes", 3]), 0), {
      do: "begin",
      items: ["d1"],
    });
  });

  it("stops before the next wave if there are more failures than allowed", () => {
    const failed = items(["failed", 1], ["changes", 2], ["changes", 2]);
    assert.deepEqual(nextStep(failed, 0), { do: "end", state: "failed", message: "1 failed, 0 may; 2 were not begun" });
    assert.deepEqual(nextStep(failed, 1), { do: "begin", items: ["d1", "d2"] });
  });

  it("skips deployments without a plan, and counts them as failed", () => {
    assert.equal(nextStep(items(["unknown"], ["changes", 1]), 0).do, "end");
    assert.deepEqual(nextStep(items(["unknown"], ["changes", 1]), 1), { do: "begin", items: ["d1"] });
  });

  it("succeeds when nothing is left", () => {
    const end = nextStep(items(["unchanged"], ["succeeded", 1], ["failed", 1]), 1);
    assert.deepEqual(end, {
      do: "end",
      state: "succeeded",
      message: "1 updated to the platform's configuration, 1 failed",
    });
  });
});
