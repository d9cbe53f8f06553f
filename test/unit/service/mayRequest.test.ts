import assert from "node:assert/strict";
import type { DeploymentRow } from "../../../service/database/tables";
import { KINDS, type OperationKind } from "../../../service/kinds/kinds";
import { OperationError } from "../../../service/operations";
import { mayRequest } from "../../../service/operations/limits/mayRequest";

type Before = Parameters<typeof mayRequest>[1];

const there = (more: Partial<DeploymentRow> = {}): Before => ({
  deletedAt: null,
  revision: 3,
  desiredState: "running",
  protected: false,
  ...more,
});
const gone = there({ deletedAt: new Date() });
const going = there({ desiredState: "absent" });
const ALL = Object.keys(KINDS) as OperationKind[];

/** The code of the refusal, or nothing. */
function refusal(kind: OperationKind, before: Before, more: object = {}, deletion?: string): string | undefined {
  try {
    mayRequest({ deployment: "acme", kind, ...more }, before, deletion);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof OperationError);
    return `${error.code} ${error.reason}`;
  }
}

describe("a request for a deployment", () => {
  it("is accepted for an existing deployment, unless it provisions", () => {
    for (const kind of ALL) {
      const expected = kind === "provision" ? "CONFLICT there is a deployment acme already" : undefined;
      assert.equal(refusal(kind, there()), expected, kind);
    }
  });

  it("is rejected for a missing deployment, unless it provisions", () => {
    for (const before of [undefined, gone]) {
      for (const kind of ALL) {
        const expected = kind === "provision" ? undefined : "NOT_FOUND there is no deployment acme";
        assert.equal(refusal(kind, before), expected, kind);
      }
    }
  });

  it("can deprovision a deleted deployment if permitted, but not an unknown deployment", () => {
    assert.equal(refusal("deprovision", gone, { mayBeGone: true }), undefined);
    assert.equal(refusal("deprovision", undefined, { mayBeGone: true }), "NOT_FOUND there is no deployment acme");
  });

  it("is rejected with the running operation during a deprovision, unless it deprovisions", () => {
    for (const kind of ALL) {
      const expected =
        kind === "deprovision" ? undefined : "CONFLICT deployment acme is being deprovisioned by operation op-7";
      assert.equal(refusal(kind, going, {}, "op-7"), expected, kind);
    }
    assert.equal(refusal("provision", going), "CONFLICT deployment acme is being deprovisioned");
  });

  it("is rejected for a protected deployment only if it may delete data", () => {
    const kept = there({ protected: true });
    for (const kind of ALL.filter((each) => each !== "provision")) {
      const isRefused = kind === "deprovision" || kind === "move";
      const reason = `PROTECTED deployment acme is protected, and ${kind} may delete its disk, database, cluster or slots`;
      assert.equal(refusal(kind, kept), isRefused ? reason : undefined, kind);
    }
    assert.match(refusal("update", kept, { change: { deployment: {}, move: "spot" } }) ?? "", /^PROTECTED /);
    assert.equal(refusal("update", kept, { change: { deployment: {}, move: null } }), undefined);
    assert.equal(refusal("move", there(), { change: { deployment: {}, move: "spot" } }), undefined);
  });

  it("is rejected if its revision is not the deployment's, which is 0 without a deployment", () => {
    assert.equal(refusal("update", there(), { revision: 3 }), undefined);
    assert.equal(refusal("update", there(), { revision: 2 }), "CONFLICT deployment acme is at revision 3, not at 2");
    for (const before of [undefined, gone]) {
      assert.equal(refusal("provision", before, { revision: 0 }), undefined);
      assert.equal(
        refusal("provision", before, { revision: 3 }),
        "CONFLICT deployment acme is at revision 0, not at 3",
      );
    }
  });
});
