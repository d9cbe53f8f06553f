import assert from "node:assert/strict";
import { disksWhenDestroyed } from "../../../engine/stack/cluster";
import { set } from "./fixtures";

describe("the disks of a destroyed runtime", () => {
  const pvc = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "own" } };
  const workload = (policy?: string, templates: object[] = [{ metadata: { name: "data" } }]) => ({
    ...{ apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "acme" } },
    spec: {
      volumeClaimTemplates: templates,
      ...(policy !== undefined && { persistentVolumeClaimRetentionPolicy: { whenDeleted: policy } }),
    },
  });
  const fate = (objects: object[], claimsWhenDeleted?: string, more: object = {}) =>
    disksWhenDestroyed([set({ inputs: { namespace: "runtimes", name: "acme", objects, claimsWhenDeleted }, ...more })]);

  it("are kept or deleted as the provisioner sets it, otherwise as the template sets it", () => {
    assert.deepEqual([fate([workload("Retain")]), fate([workload()])], ["kept", "kept"]);
    assert.deepEqual([fate([workload("Delete")]), fate([workload("Retain")], "Delete")], ["deleted", "deleted"]);
    assert.deepEqual([fate([workload("Delete")], "Retain"), fate([pvc], "Retain")], ["kept", "kept"]);
    assert.deepEqual([fate([pvc]), fate([workload("Retain"), pvc])], ["deleted", "deleted"]);
  });

  it("do not exist without a claim, or in a set that was replaced", () => {
    assert.equal(fate([workload("Delete", [])]), undefined);
    assert.equal(fate([workload("Delete")], undefined, { delete: true }), undefined);
  });
});
