import assert from "node:assert/strict";
import { isAsApplied } from "../../../provider/resources/bundleRelease/live/asApplied";
import type { KubeObject } from "../../../kubernetes/objects/objects";

/** As the API server notes it. */
const FIELDS = {
  "f:metadata": { "f:labels": { "f:app": {} } },
  "f:spec": {
    "f:replicas": {},
    "f:empty": {},
    "f:selector": {},
    "f:finalizers": { 'v:"a"': {}, 'v:"b"': {} },
    "f:template": {
      "f:containers": {
        'k:{"name":"main"}': { ".": {}, "f:name": {}, "f:image": {} },
        'k:{"name":"side"}': {
          ".": {},
          "f:name": {},
          "f:ports": { 'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:containerPort": {} } },
        },
      },
    },
  },
};

const applied = {
  apiVersion: "example.com/v1",
  kind: "Gadget",
  metadata: { name: "a", namespace: "n", labels: { app: "web" } },
  spec: {
    replicas: 2,
    empty: {},
    selector: { app: "web" },
    finalizers: ["a", "b"],
    template: {
      containers: [
        { name: "main", image: "web:1" },
        { name: "side", ports: [{ containerPort: 80 }] },
      ],
    },
  },
};

interface Spec {
  replicas: unknown;
  selector: object;
  finalizers: string[];
  template: { containers: Record<string, unknown>[] };
}

/** What the API server makes of it, with what others added; then something happens to it. */
function live(
  happens: (spec: Spec, metadata: Record<string, unknown>) => void = () => undefined,
  fields: object = FIELDS,
) {
  const spec: Spec = {
    replicas: 2,
    selector: { app: "web" },
    finalizers: ["a", "theirs", "b"],
    template: {
      containers: [
        { name: "main", image: "web:1", pullPolicy: "Always" },
        { name: "theirs" },
        { name: "side", ports: [{ containerPort: 80, protocol: "TCP" }] },
      ],
    },
  };
  const entry = { manager: "stackyard", operation: "Apply", apiVersion: "example.com/v1", fieldsV1: fields };
  const status = { ...entry, subresource: "status", fieldsV1: {} };
  const metadata = {
    name: "a",
    namespace: "n",
    uid: "u",
    labels: { app: "web", theirs: "x" },
    managedFields: [status, entry],
  };
  happens(spec, metadata);
  return { apiVersion: "example.com/v1", kind: "Gadget", metadata, spec, status: { ready: true } } as KubeObject;
}

describe("a live object", () => {
  it("is as applied if others only added fields", () => {
    assert.equal(isAsApplied(live(), applied), true);
  });

  it("is not as applied if an applied field was changed or removed", () => {
    const changes: ((spec: Spec, metadata: Record<string, unknown>) => void)[] = [
      (spec) => (spec.replicas = 3),
      (spec) => (spec.replicas = "2"),
      (spec) => (spec.selector = { app: "web", theirs: "too" }),
      (spec) => (spec.finalizers = ["a"]),
      (spec) => (spec.finalizers = ["b", "a"]),
      (spec) => (spec.template.containers[0]!["image"] = "web:2"),
      (spec) => spec.template.containers.shift(),
      (spec) => spec.template.containers.reverse(),
      (spec) => (spec.template.containers[2]!["ports"] = []),
      (_, metadata) => (metadata["labels"] = {}),
    ];
    for (const change of changes) assert.equal(isAsApplied(live(change), applied), false, String(change));
  });

  it("is not as applied if stackyard lost a field, or owns one that is no longer applied", () => {
    const lost = structuredClone(FIELDS) as Record<string, Record<string, unknown>>;
    delete lost["f:spec"]!["f:replicas"];
    assert.equal(isAsApplied(live(undefined, lost), applied), false);
    const { replicas, ...spec } = applied.spec;
    assert.equal(replicas, 2);
    assert.equal(isAsApplied(live(), { ...applied, spec }), false);
  });

  it("is not as applied without an apply entry of stackyard for this version", () => {
    const entries: [string, unknown][] = [
      ["manager", "kubectl"],
      ["operation", "Update"],
      ["apiVersion", "example.com/v2"],
      ["fieldsV1", undefined],
    ];
    for (const [key, value] of entries) {
      const changed = live((_, metadata) => {
        const entry = {
          manager: "stackyard",
          operation: "Apply",
          apiVersion: "example.com/v1",
          fieldsV1: FIELDS,
          [key]: value,
        };
        metadata["managedFields"] = [entry];
      });
      assert.equal(isAsApplied(changed, applied), false, key);
    }
    assert.equal(
      isAsApplied(
        live((_, metadata) => delete metadata["managedFields"]),
        applied,
      ),
      false,
    );
  });
});
