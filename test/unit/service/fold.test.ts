import assert from "node:assert/strict";
import { fold, type Foldable } from "../../../service/operations/operationFor";

const request = (kind: Foldable["kind"], deployment: Foldable["change"]["deployment"] = {}): Foldable => ({
  kind,
  change: { deployment },
  refresh: kind === "refresh",
});

describe("a request that replaces a waiting request", () => {
  it("becomes one operation with the values of both", () => {
    const folded = fold(request("update", { version: "1", slots: 2 }), request("update", { version: "2" }));
    assert.deepEqual(folded, request("update", { version: "2", slots: 2 }));
  });

  it("keeps annotations of both, and the newer value of a common key", () => {
    const folded = fold(
      request("update", { annotations: { team: "red", cost: "7" } }),
      request("update", { annotations: { team: "", tier: "a" } }),
    );
    assert.deepEqual(folded.change.deployment.annotations, { team: "", cost: "7", tier: "a" });
  });

  it("adds its change to a waiting provision", () => {
    const folded = fold(request("provision", { version: "1" }), request("hibernate", { state: "hibernated" }));
    assert.deepEqual(folded, request("provision", { version: "1", state: "hibernated" }));
  });

  it("keeps the disk that a waiting provision names", () => {
    const first = request("provision", { version: "1" });
    const folded = fold(
      { ...first, change: { ...first.change, disk: "ns/data" } },
      request("update", { version: "2" }),
    );
    assert.deepEqual(folded.change, { deployment: { version: "2" }, disk: "ns/data" });
  });

  it("becomes an update if the two kinds differ", () => {
    const move: Foldable = { kind: "move", change: { deployment: { provisioner: "b" }, move: "b" }, refresh: false };
    assert.deepEqual(fold(request("wake", { state: "running" }), move), {
      kind: "update",
      change: { deployment: { state: "running", provisioner: "b" }, move: "b" },
      refresh: false,
    });
  });

  it("drops earlier changes if it deprovisions, and never drops a deprovision", () => {
    assert.deepEqual(fold(request("update", { version: "2" }), request("deprovision")), request("deprovision"));
    for (const kind of ["provision", "update", "refresh", "deprovision"] as const) {
      assert.deepEqual(fold(request("deprovision"), request(kind)).kind, "deprovision", kind);
    }
  });

  it("permits a move only to the provisioner that the newest request names", () => {
    const asked = (provisioner?: string, move?: string | null): Foldable => ({
      kind: "move",
      change: { deployment: provisioner === undefined ? {} : { provisioner }, ...(move !== undefined && { move }) },
      refresh: false,
    });
    const cases: readonly (readonly [older: Foldable, newer: Foldable, provisioner?: string, move?: string | null])[] =
      [
        [asked("spot", "spot"), request("update"), "spot", "spot"],
        [asked("spot", "spot"), asked("shared"), "shared", undefined],
        [asked("spot", "spot"), asked("shared", "shared"), "shared", "shared"],
        [asked("spot", "spot"), asked(undefined, "shared"), "spot", "spot"],
        [asked(undefined, "shared"), asked("spot"), "spot", undefined],
        [asked(undefined, "shared"), request("update"), undefined, "shared"],
        [asked("spot", "spot"), asked(undefined, null), "spot", null],
      ];
    for (const [older, newer, provisioner, move] of cases) {
      const { change } = fold(older, newer);
      assert.deepEqual([change.deployment.provisioner, change.move], [provisioner, move]);
    }
  });

  it("refreshes first if either request is a refresh", () => {
    assert.deepEqual(fold(request("update", { slots: 2 }), request("refresh")), {
      ...request("update", { slots: 2 }),
      refresh: true,
    });
    assert.deepEqual(fold(request("refresh"), request("update", { slots: 2 })), {
      ...request("update", { slots: 2 }),
      refresh: true,
    });
  });
});
