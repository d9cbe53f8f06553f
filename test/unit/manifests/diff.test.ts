import assert from "node:assert/strict";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import { diffSet } from "../../../provider/resources/manifestSet/diff";
import type { SetInputs } from "../../../kubernetes/apply/set";

const map = (name: string, value = "1") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { value },
});
const set = (objects: unknown, more: object = {}): SetInputs =>
  ({ cluster: "one", name: "acme", namespace: "ns", timeoutSeconds: 300, objects, ...more }) as SetInputs;
const changes = (old: SetInputs, next: SetInputs) => diffSet(old, next).changes;

describe("the difference of two manifest sets", () => {
  it("is empty if nothing changed", () => {
    assert.deepEqual(changes(set([map("a")]), set([map("a")])), {});
  });

  it("is reported for each field", () => {
    assert.deepEqual(changes(set([map("a"), map("b")]), set([map("a"), map("b", "2")])), {
      "objects[1].data.value": "update",
    });
  });

  it("is reported for an object if another object takes its place", () => {
    assert.deepEqual(changes(set([map("a"), map("b")]), set([map("new"), map("a"), map("b")])), {
      "objects[0]": "update",
      "objects[1]": "update",
      "objects[2]": "add",
    });
    assert.deepEqual(changes(set([map("a"), map("b")]), set([map("a")])), { "objects[1]": "delete" });
  });

  it("replaces the set if the namespace changes", () => {
    assert.deepEqual(changes(set([]), set([], { cluster: "two", namespace: "other" })), {
      cluster: "update",
      namespace: "update-replace",
    });
  });

  it("ignores a new timeout, and updates the set if the kubeconfig changes", () => {
    assert.deepEqual(changes(set([]), set([], { timeoutSeconds: 5 })), {});
    assert.deepEqual(changes(set([]), set([], { kubeconfig: "new" })), { kubeconfig: "add" });
  });

  it("ignores a new permission to keep larger claims, and updates the set if it is removed", () => {
    const keep = set([], { claimsWhenSmaller: "Keep" });
    assert.deepEqual(changes(set([]), keep), {});
    assert.deepEqual(changes(keep, set([])), { claimsWhenSmaller: "delete" });
    assert.deepEqual(changes(keep, set([], { claimsWhenSmaller: "Refuse" })), { claimsWhenSmaller: "update" });
  });

  it("treats unknown values as changes", () => {
    assert.deepEqual(changes(set([map("a")]), set(UNKNOWN)), { objects: "update" });
    assert.deepEqual(changes(set([map("a")]), set([map("a", UNKNOWN)])), { "objects[0].data.value": "update" });
  });
});
