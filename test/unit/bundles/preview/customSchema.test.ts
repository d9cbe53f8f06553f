import assert from "node:assert/strict";
import { schemaFaults } from "../../../../provider/resources/bundleRelease/preview";
import type { KubeObject } from "../../../../kubernetes/objects/objects";

const crd = (kind: string, field: string): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.example.com` },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { [field]: { type: "integer" } } } },
          },
        },
      },
    ],
  },
});
const resource = (kind: string, spec: object): KubeObject => ({
  apiVersion: "example.com/v1",
  kind,
  metadata: { name: "a", namespace: "shop" },
  spec,
});

describe("a custom resource whose CRD comes with it", () => {
  const faults = schemaFaults([crd("Alert", "receivers"), crd("Metric", "shards")]);

  it("is validated against the schema of its own kind, even if kinds share an API version", () => {
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(faults(resource("Alert", { receivers: 1 })), []);
      assert.deepEqual(faults(resource("Metric", { shards: 1 })), []);
    }
    assert.match(faults(resource("Metric", { receivers: 1 })).join(), /receivers: the schema does not have it/);
  });
});
