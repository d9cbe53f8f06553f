import assert from "node:assert/strict";
import { fieldChanges } from "../../../kubernetes/drift/fieldChanges";
import { memberLabels, setId } from "../../../provider/resources/bundleRelease/applySet";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const object = (more: object, kind = "Deployment"): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "a" },
  ...more,
});
const reported = (old: KubeObject, next: KubeObject): string[] =>
  fieldChanges(old, next).map(({ path, words }) => `${path}: ${words}`);

describe("the difference between a live object and its new state", () => {
  it("is reported by field, with list items by name", () => {
    const containers = (...items: object[]) => ({ spec: { containers: items } });
    const old = object({ ...containers({ name: "main", image: "a:1" }, { name: "side" }), status: { x: 1 } });
    const next = object({
      ...containers({ name: "new" }, { name: "main", image: "a:2", tty: true }),
      status: { x: 2 },
    });
    assert.deepEqual(reported(old, next).sort(), [
      'spec.containers[main].image: "a:1" → "a:2"',
      "spec.containers[main].tty: + true",
      'spec.containers[new]: + {"name":"new"}',
      'spec.containers[side]: - {"name":"side"}',
    ]);
  });

  it("shows which items of a list without names come and go, such as the rights of a role", () => {
    const rule = (resource: string) => ({
      apiGroups: ["apps"],
      resources: [resource],
      verbs: ["get", "list", "watch"],
    });
    const role = (...resources: string[]) => object({ rules: resources.map(rule) }, "ClusterRole");
    assert.deepEqual(reported(role("deployments", "daemonsets"), role("deployments", "statefulsets")), [
      `rules: - ${JSON.stringify(rule("daemonsets"))}, + ${JSON.stringify(rule("statefulsets"))}`,
    ]);
    const many = (from: number) => role(...Array.from({ length: 9 }, (_, number) => `r${from + number}`));
    assert.match(reported(many(0), many(100))[0] ?? "", /^rules: - .*"r4".*, - 4 more, \+ .*"r104".*, \+ 4 more$/);
    const args = (...items: string[]) => object({ spec: { args: items } });
    assert.deepEqual(reported(args("a", "b"), args("b", "a")), ['spec.args: ["a","b"] → ["b","a"]']);
    assert.deepEqual(reported(args("a"), args()), ['spec.args: - "a"']);
  });

  it("omits fields that the API server sets", () => {
    const metadata = { name: "a", uid: "1", resourceVersion: "1", generation: 1, managedFields: [1] };
    assert.deepEqual(
      reported(object({ metadata }), object({ metadata: { ...metadata, generation: 2, managedFields: [2] } })),
      [],
    );
  });

  it("hides values of a Secret, and copies of them in annotations", () => {
    const secret = (value: string) =>
      object(
        {
          type: "Opaque",
          data: { password: value, [value]: value },
          metadata: {
            name: "a",
            annotations: { "kubectl.kubernetes.io/last-applied-configuration": value },
            labels: { seen: value },
          },
        },
        "Secret",
      );
    const lines = reported(secret("aaaa"), secret("bbbb"));
    assert.ok(lines.includes("data.password: (hidden) → another one"));
    assert.ok(lines.includes('metadata.labels.seen: "aaaa" → "bbbb"'));
    assert.deepEqual(
      lines.filter((line) => /: .*(aaaa|bbbb)/.test(line)),
      ['metadata.labels.seen: "aaaa" → "bbbb"'],
    );
  });

  it("shortens long values", () => {
    assert.match(reported(object({ a: "x" }), object({ a: "y".repeat(500) }))[0] ?? "", /^a: "x" → "y{78}…$/);
  });
});

describe("the id of an apply set", () => {
  it("equals the id that kubectl computes from the parent object", () => {
    // sha256("bundle-shop.web.ConfigMap."), in base64 for URLs, as openssl has it.
    const id = "applyset-7XwtMpcgiXcmYM-OButxzZM0MKp-9mHcTTDM9zdgtOo-v1";
    const owner = { name: "shop", namespace: "web" };
    assert.equal(setId(owner), id);
    assert.equal(memberLabels(owner)["applyset.kubernetes.io/part-of"], id);
  });
});
