import assert from "node:assert/strict";
import fc from "fast-check";
import { identity, inventoryKey, parseInventoryKey } from "../../../kubernetes/objects/objects";

const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z]$/);
const ref = fc.record({
  apiVersion: fc.oneof(
    fc.constant("v1"),
    fc.tuple(label, label).map(([group, version]) => `${group}.io/${version}`),
    fc.constant("apps/v1"),
  ),
  kind: fc.stringMatching(/^[A-Z][A-Za-z]{0,8}$/),
  namespace: fc.option(label, { nil: undefined }),
  name: fc.tuple(label, label).map((parts) => parts.join(".")),
});

describe("an inventory key", () => {
  it("can be read back for any object", () => {
    fc.assert(
      fc.property(ref, (one) => {
        const back = parseInventoryKey(inventoryKey(one));
        assert.deepEqual({ ...one, namespace: one.namespace }, { ...back, namespace: back.namespace });
      }),
    );
  });

  it("is rejected if it names no object", () => {
    for (const key of ["", "v1", "v1/ConfigMap", "apps/v1/Deployment", "v1/ConfigMap/a/b/c"]) {
      assert.throws(() => parseInventoryKey(key), /expected apiVersion\/Kind\/namespace\/name/, key);
    }
  });

  it("identifies the same object in every version of its kind", () => {
    const one = { apiVersion: "apps/v1", kind: "Deployment", namespace: "a", name: "b" };
    assert.equal(identity(one), identity({ ...one, apiVersion: "apps/v1beta1" }));
    assert.notEqual(identity(one), identity({ ...one, namespace: undefined }));
  });
});
