import assert from "node:assert/strict";
import { fold, type Foldable } from "../../../service/operations/fold";

const wish = (kind: Foldable["kind"], deployment: Foldable["change"]["deployment"] = {}): Foldable => ({
  kind,
  change: { deployment },
  refresh: kind === "refresh",
});

describe("what is asked for while an operation waits", () => {
  it("becomes one operation with the newest request", () => {
    const folded = fold(wish("update", { version: "1", slots: 2 }), wish("update", { version: "2" }));
    assert.deepEqual(folded, wish("update", { version: "2", slots: 2 }));
  });

  it("keeps annotations of both, the newer one's value of the same key", () => {
    const folded = fold(
      wish("update", { annotations: { team: "red", cost: "7" } }),
      wish("update", { annotations: { team: "", tier: "a" } }),
    );
    assert.deepEqual(folded.change.deployment.annotations, { team: "", cost: "7", tier: "a" });
  });

  it("provisions what is new with what was asked for since", () => {
    const folded = fold(wish("provision", { version: "1" }), wish("hibernate", { state: "hibernated" }));
    assert.deepEqual(folded, wish("provision", { version: "1", state: "hibernated" }));
  });

  it("is an update where the two are of different kinds", () => {
    const move: Foldable = { kind: "move", change: { deployment: { provisioner: "b" }, move: "b" }, refresh: false };
    assert.deepEqual(fold(wish("wake", { state: "running" }), move), {
      kind: "update",
      change: { deployment: { state: "running", provisioner: "b" }, move: "b" },
      refresh: false,
    });
  });

  it("does nothing of what came before a deprovisioning", () => {
    assert.deepEqual(fold(wish("update", { version: "2" }), wish("deprovision")), wish("deprovision"));
    assert.deepEqual(
      fold(wish("deprovision"), wish("provision", { version: "3" })),
      wish("provision", { version: "3" }),
    );
  });

  it("looks first how everything is when a refresh is asked for besides", () => {
    assert.deepEqual(fold(wish("update", { slots: 2 }), wish("refresh")), {
      ...wish("update", { slots: 2 }),
      refresh: true,
    });
    assert.deepEqual(fold(wish("refresh"), wish("update", { slots: 2 })), {
      ...wish("update", { slots: 2 }),
      refresh: true,
    });
  });
});
