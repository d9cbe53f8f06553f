import assert from "node:assert/strict";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { changedPaths, claimFindings, objectFindings, uidsOf } from "../../../../kubernetes/drift/truth";

const owner = { set: "runtime-acme", namespace: "runtimes", id: "a" };
const ref = { apiVersion: "apps/v1", kind: "StatefulSet", namespace: "runtimes", name: "runtime-acme" };
const given: KubeObject = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "runtime-acme" },
  spec: {
    replicas: 1,
    template: { spec: { containers: [{ name: "runtime", image: "rill:1", resources: { limits: { cpu: "0.5" } } }] } },
  },
};
const marks = {
  labels: { "stackyard.dev/set": "runtime-acme", "stackyard.dev/set-namespace": "runtimes" },
  annotations: { "stackyard.dev/owner-id": "a" },
};
const live = (spec: object = given["spec"] as object, metadata: object = {}): KubeObject => ({
  ...given,
  metadata: { name: "runtime-acme", namespace: "runtimes", uid: "u", ...marks, ...metadata },
  spec: { revisionHistoryLimit: 10, ...spec },
});
const kinds = (object: KubeObject | undefined): string[] =>
  objectFindings(object, ref, given, owner).map(({ kind }) => kind);

const claim = (metadata: object = {}, phase = "Bound"): KubeObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data-runtime-acme-0", namespace: "runtimes", uid: "c1", ...metadata },
  spec: { volumeName: "pv-1" },
  status: { phase },
});
const recorded = { "runtimes/data-runtime-acme-0": "c1" };

describe("the live objects of a set", () => {
  it("are as applied despite defaults and other notations", () => {
    assert.deepEqual(kinds(live()), []);
    const template = {
      spec: { containers: [{ name: "runtime", image: "rill:1", resources: { limits: { cpu: "500m" } } }] },
    };
    assert.deepEqual(kinds(live({ replicas: 1, template })), []);
  });

  it("are as applied if a disk is larger than requested", () => {
    const asked = (storage: string): KubeObject => ({
      ...claim(),
      spec: { resources: { requests: { storage } } },
    });
    assert.deepEqual(changedPaths(asked("80Gi"), asked("40Gi")), []);
    assert.deepEqual(changedPaths(asked("20Gi"), asked("40Gi")), ["spec.resources.requests.storage"]);
  });

  it("differ in replicas and images, with the path of each", () => {
    const template = {
      spec: { containers: [{ name: "runtime", image: "evil:1", resources: { limits: { cpu: "0.5" } } }] },
    };
    const paths = changedPaths(live({ replicas: 0, template }), given);
    assert.deepEqual(paths.sort(), ["spec.replicas", "spec.template.spec.containers[0].image"]);
    assert.deepEqual(kinds(live({ replicas: 0, template })), ["changed"]);
  });

  it("are reported as missing, deleting, foreign or unmarked", () => {
    assert.deepEqual(kinds(undefined), ["missing"]);
    assert.deepEqual(kinds(live(undefined, { deletionTimestamp: "2026-01-01T00:00:00Z" })), ["deleting"]);
    assert.deepEqual(kinds(live(undefined, { annotations: { "stackyard.dev/owner-id": "b" } })), ["foreign"]);
    assert.deepEqual(kinds(live(undefined, { annotations: {} })), ["unmarked"]);
    assert.deepEqual(kinds(live(undefined, { labels: {} })), ["unmarked"]);
  });

  it("are not compared by owner id if the state has none", () => {
    const older = { set: owner.set, namespace: owner.namespace };
    assert.deepEqual(objectFindings(live(undefined, { annotations: {} }), ref, given, older), []);
  });
});

describe("the claims of a set", () => {
  it("cause no finding if they are recorded or new", () => {
    const second = claim({ name: "data-runtime-acme-1", uid: "c2" });
    assert.deepEqual(claimFindings([claim(), second], recorded), []);
    assert.deepEqual(uidsOf([claim()]), recorded);
  });

  it("are reported as replaced if a UID differs", () => {
    const [found] = claimFindings([claim({ uid: "c9" })], recorded);
    assert.equal(found?.kind, "replaced");
    assert.match(found?.text ?? "", /UID is c9, .* had c1/);
  });

  it("are reported as deleting, with the command that keeps the data", () => {
    const [found] = claimFindings([claim({ deletionTimestamp: "2026-01-01T00:00:00Z" })], recorded);
    assert.equal(found?.kind, "deleting");
    assert.match(found?.text ?? "", /kubectl patch pv pv-1 /);
  });

  it("are reported as missing or lost", () => {
    assert.deepEqual(
      claimFindings([], recorded).map(({ kind }) => kind),
      ["missing"],
    );
    assert.deepEqual(
      claimFindings([claim({}, "Lost")], recorded).map(({ kind }) => kind),
      ["lost"],
    );
  });

  it("cannot be repaired by another apply of the set", () => {
    const all = [...claimFindings([], recorded), ...claimFindings([claim({ uid: "c9" })], recorded)];
    assert.ok(all.every(({ repairable }) => !repairable));
  });
});
