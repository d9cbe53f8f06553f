import assert from "node:assert/strict";
import fc from "fast-check";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { batchesOf } from "../../../kubernetes/apply/order";
import { isOwned, ownerLabels, ownershipConflict } from "../../../kubernetes/owners/ownership";
import { CONCURRENCY, forAll } from "../../../kubernetes/client/pool";
import { asInput, isAsApplied, project } from "../../../kubernetes/drift/project";
import { isLocal } from "../../../kubernetes/ready/ping";
import { selects, selectorText } from "../../../kubernetes/objects/selector";
import { explain, FaultsError } from "../../../kubernetes/work/faults";
import { object } from "./samples";

const owner = { set: "acme", namespace: "ns" };
const ref = { apiVersion: "v1", kind: "ConfigMap", namespace: "ns", name: "a" };
const labelled = (labels: Record<string, string>, annotations: Record<string, string> = {}) =>
  object("ConfigMap", {}, {}, { name: "a", labels, annotations });

describe("the owner of an object", () => {
  it("is the set that the object's labels name, in the same namespace", () => {
    assert.ok(isOwned(labelled(ownerLabels(owner)), owner));
    assert.ok(!isOwned(labelled(ownerLabels({ ...owner, namespace: "other" })), owner));
  });

  it("is reported with the command that allows adoption of the object", () => {
    assert.match(
      ownershipConflict(labelled({}), ref, owner) ?? "",
      /belongs to no set.*kubectl annotate -n ns configmap a stackyard.dev\/adopt=ns.acme/,
    );
    assert.match(
      ownershipConflict(labelled({ "stackyard.dev/set": "b" }), ref, owner) ?? "",
      /belongs to the set b; set ns\/acme/,
    );
    assert.equal(ownershipConflict(labelled({}, { "stackyard.dev/adopt": "ns.acme" }), ref, owner), undefined);
    assert.ok(ownershipConflict(labelled({}, { "stackyard.dev/adopt": "ns.other" }), ref, owner));
  });
});

describe("the order of application", () => {
  const kind = (name: string, apiVersion = "v1") => ({ apiVersion, kind: name, name: "x" });

  it("keeps the caller's order, and batches neighbours of the same rank", () => {
    const items = [
      kind("Namespace"),
      kind("StatefulSet", "apps/v1"),
      kind("Service"),
      kind("Ingress"),
      kind("Job", "batch/v1"),
    ];
    assert.deepEqual(
      batchesOf(items, (item) => item).map((stretch) => stretch.map((item) => item.kind)),
      [["Namespace"], ["StatefulSet"], ["Service", "Ingress"], ["Job"]],
    );
  });

  it("never moves or loses an object", () => {
    const kinds = fc.array(fc.constantFrom(kind("Namespace"), kind("Service"), kind("Pod"), kind("Job", "batch/v1")));
    fc.assert(fc.property(kinds, (items) => assert.deepEqual(batchesOf(items, (item) => item).flat(), items)));
  });
});

describe("a pool of concurrent work", () => {
  it("runs with bounded concurrency, and returns results in order", async () => {
    let now = 0;
    let most = 0;
    const results = await forAll([...Array(100).keys()], async (item) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, item % 3));
      now--;
      return item * 2;
    });
    assert.equal(most, CONCURRENCY);
    assert.deepEqual(results.slice(0, 3), [0, 2, 4]);
  });

  it("ends with the first error, and leaves nothing running", async () => {
    let running = 0;
    const work = forAll([...Array(50).keys()], async (item) => {
      running++;
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      if (item === 3) throw new Error("three");
    });
    await assert.rejects(work, /three/);
    assert.equal(running, 0);
  });
});

describe("a label selector", () => {
  const selector = {
    matchLabels: { app: "acme" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["a", "b"] },
      { key: "old", operator: "DoesNotExist" },
    ],
  };

  it("is written as a query", () => {
    assert.equal(selectorText(selector), "app=acme,tier in (a,b),!old");
    assert.equal(selectorText(undefined), "");
  });

  it("selects labels that meet all its requirements", () => {
    assert.ok(selects(selector, { app: "acme", tier: "b" }));
    assert.ok(!selects(selector, { app: "acme", tier: "c" }));
    assert.ok(!selects(selector, { app: "acme", tier: "a", old: "yes" }));
    assert.ok(selects({}, {}));
  });
});

describe("a rejection by the API server", () => {
  const error = new ApiError('could not apply Secret ns/a: data.password: Invalid value: "hush"', 422, "Invalid", [
    { field: "data.password", reason: "FieldValueInvalid", message: 'Invalid value: "hush"' },
  ]);

  it("is reported with its message, but without the values of a Secret", () => {
    assert.equal(
      explain(error, { ...ref, kind: "Secret" }),
      "Secret ns/a: the API server refused it: data.password (FieldValueInvalid)",
    );
    assert.match(explain(error, ref), /Invalid value: "hush"/);
  });

  it("is reported with advice", () => {
    const immutable = new ApiError(
      "could not apply ConfigMap ns/a: field is immutable when `immutable` is set",
      422,
      "Invalid",
    );
    assert.match(explain(immutable, ref), /delete it first: kubectl -n ns delete configmap a/);
    const forbidden = new ApiError('User "x" cannot patch resource "configmaps" in the namespace', 403, "Forbidden");
    assert.match(explain(forbidden, ref), /The kubeconfig's user lacks this right/);
    const missing = new ApiError('namespaces "ns" not found', 404, "NotFound", [], "namespaces");
    assert.match(explain(missing, ref), /namespace ns does not exist; make it first/);
  });

  it("is one line for a single fault, and a bounded list for many faults", () => {
    assert.equal(new FaultsError("nothing was changed", ["a", "a"]).message, "a (nothing was changed)");
    const many = Array.from({ length: 50 }, (_, index) => `fault ${index}`);
    const { message } = new FaultsError("nothing was changed", many);
    assert.match(message, /^nothing was changed:\n {2}- fault 0\n/);
    assert.match(message, /… and 30 more$/);
  });
});

describe("a live object written as an input", () => {
  const given = {
    ...ref,
    metadata: { name: "a" },
    spec: {
      replicas: 1,
      cpu: "0.5",
      bytes: 42949672960,
      empty: {},
      list: [
        { name: "x", image: "1" },
        { name: "y", image: "1" },
      ],
    },
  } as unknown as KubeObject;
  const as = (spec: object, metadata: object = { name: "a", uid: "u" }) =>
    ({ ...given, spec, metadata }) as unknown as KubeObject;

  it("has the fields of the program, and the program's notation of equal values", () => {
    const live = as({
      replicas: 3,
      cpu: "500m",
      bytes: "40Gi",
      more: true,
      list: [{ name: "side" }, { name: "y", image: "2" }],
    });
    assert.deepEqual(asInput(live, given)["spec"], {
      replicas: 3,
      cpu: "0.5",
      bytes: 42949672960,
      empty: {},
      list: [{ name: "y", image: "2" }],
    });
  });

  it("compares ports of two protocols one by one", () => {
    const given = {
      ports: [
        { port: 53, protocol: "UDP" },
        { port: 53, protocol: "TCP" },
      ],
    };
    assert.deepEqual(project({ ports: given.ports.map((each) => ({ ...each, name: "dns" })) }, given), given);
  });

  it("has a drift annotation if only fields outside of the program differ", () => {
    const input = asInput(as(given["spec"] as object), given);
    assert.deepEqual(input.metadata.annotations, { "stackyard.dev/drifted": "true" });
  });

  it("is as applied if only fields of the server differ", () => {
    const one = as({ a: 1 }, { name: "a", generation: 1, resourceVersion: "1", managedFields: [1] });
    assert.ok(isAsApplied({ ...one, status: { a: 1 } }, as({ a: 1 }, { name: "a", generation: 2 })));
    assert.ok(!isAsApplied(one, as({ a: 2 }, { name: "a" })));
  });
});

describe("a host name", () => {
  it("is local if it is localhost or a subdomain of localhost", () => {
    assert.deepEqual(["localhost", "acme.one.localhost", "localhost.com", "notlocalhost"].map(isLocal), [
      true,
      true,
      false,
      false,
    ]);
  });
});
