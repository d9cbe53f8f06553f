import assert from "node:assert/strict";
import fc from "fast-check";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import { checkSet } from "../../../provider/resources/manifestSet/check";

const good = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
const set = (objects: unknown, more: object = {}) => ({
  cluster: "https://one",
  name: "acme",
  namespace: "runtimes",
  objects,
  ...more,
});
const faults = (inputs: object): string[] =>
  checkSet(inputs as Record<string, unknown>).failures.map(({ property, reason }) => `${property}: ${reason}`);

describe("the check of a manifest set", () => {
  it("accepts a set and adds the default timeout", () => {
    const { inputs, failures } = checkSet(set([good]));
    assert.deepEqual(failures, []);
    assert.equal(inputs["timeoutSeconds"], 300);
  });

  it("treats null as omitted", () => {
    const { inputs, failures } = checkSet(set([good], { kubeconfig: null, ping: null, claimsWhenDeleted: null }));
    assert.deepEqual(failures, []);
    assert.deepEqual(Object.keys(inputs).sort(), ["cluster", "name", "namespace", "objects", "timeoutSeconds"]);
  });

  it("reports all faults with their paths at once", () => {
    const objects = [
      { apiVersion: "v1", metadata: { name: "a" } },
      { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "Web" } },
      { ...good, metadata: { generateName: "a-" } },
      { ...good, metadata: { name: "b", labels: { version: 2 }, resourceVersion: "7" } },
      "hello",
      { ...good, apiVersion: "v1", kind: "List", metadata: { name: "c" } },
    ];
    const reported = faults(
      set(objects, {
        ...{ name: "Acme", ping: { url: "acme" }, claimsWhenDeleted: "Keep", objekts: 1 },
        release: { namespace: "a/b", name: "hub", chart: "hub" },
      }),
    );
    for (const expected of [
      /^objekts: found an unknown property/,
      /^name: found "Acme"; expected a DNS-1123 label/,
      /^ping.url: found "acme"; expected a URL/,
      /^release.chart: found an unknown property/,
      /^release.namespace: found "a\/b"; expected a DNS-1123 label/,
      /^release.digest: found nothing; expected a text/,
      /^claimsWhenDeleted: found "Keep"; expected Retain or Delete/,
      /^objects\[0\].kind: found nothing; expected a kind/,
      /^objects\[1\].metadata.name: found "Web"; expected a DNS-1123 name/,
      /^objects\[2\].metadata.generateName: found "a-"/,
      /^objects\[3\].metadata.labels\["version"\]: found 2; expected a text; put it in quotes/,
      /^objects\[3\].metadata.resourceVersion: /,
      /^objects\[4\]: found "a string"; expected a Kubernetes object/,
      /^objects\[5\].kind: found "List"; expected one object/,
    ]) {
      assert.ok(
        reported.some((line) => expected.test(line)),
        `${expected.source} is not in\n${reported.join("\n")}`,
      );
    }
    assert.equal(reported.length, 14, reported.join("\n"));
  });

  it("rejects duplicate objects, also in the default namespace and in other versions", () => {
    const web = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } };
    const again = { apiVersion: "apps/v1beta1", kind: "Deployment", metadata: { name: "web", namespace: "runtimes" } };
    assert.match(
      faults(set([web, again])).join(),
      /objects\[1\]: found "Deployment web, the same object as objects\[0\]"/,
    );
    const elsewhere = { ...again, metadata: { name: "web", namespace: "other" } };
    assert.deepEqual(faults(set([web, elsewhere])), []);
  });

  it("accepts role names such as system:reader", () => {
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "system:reader" },
    };
    assert.deepEqual(faults(set([role])), []);
    assert.equal(faults(set([{ ...role, metadata: { name: "a/b" } }])).length, 1);
  });

  it("accepts unknown values", () => {
    const unknown = UNKNOWN;
    assert.deepEqual(faults(set(unknown, { kubeconfig: unknown, name: unknown, ping: unknown })), []);
    const objects = [
      unknown,
      { ...good, metadata: unknown },
      { ...good, metadata: { name: unknown, labels: { a: unknown } } },
    ];
    assert.deepEqual(faults(set([...objects, { ...good, kind: unknown }, good])), []);
  });

  it("never shows a kubeconfig or the content of an object", () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a", labels: { x: { deep: "hush" } } },
      data: "hush",
    };
    const reported = faults(set([secret], { kubeconfig: "hush" })).join("\n");
    assert.match(reported, /kubeconfig: found something else/);
    assert.doesNotMatch(reported, /hush/);
  });

  it("never throws for any input", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (more, objects) => {
        checkSet({ ...set(objects), ...more });
        checkSet(set([objects, { ...good, metadata: objects }]));
      }),
    );
  });
});
