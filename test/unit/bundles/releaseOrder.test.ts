import { isCrd } from "../../../kubernetes/objects/objects";
import assert from "node:assert/strict";
import fc from "fast-check";
import { inventoryInOrder, isNamespace, phasesOf, STEPS } from "../../../provider/resources/bundleRelease/wanted/order";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";

interface Item {
  readonly ref: Ref;
  readonly object: KubeObject;
  readonly wave: number | undefined;
}

const item = (apiVersion: string, kind: string, name: string, namespace?: string, wave?: number): Item => ({
  ref: { apiVersion, kind, name, namespace },
  object: { apiVersion, kind, metadata: { name, namespace } },
  wave,
});
const crd = (kind: string, wave?: number): Item => {
  const made = item("apiextensions.k8s.io/v1", "CustomResourceDefinition", kind, undefined, wave);
  return { ...made, object: { ...made.object, spec: { group: "example.com", names: { kind } } } };
};
const gadget = (name: string, wave?: number): Item => item("example.com/v1", "Gadget", name, "shop", wave);
const namespace = (name: string, wave?: number): Item => item("v1", "Namespace", name, undefined, wave);
const reported = (items: readonly Item[]): string[] =>
  phasesOf(items).map(
    (phase) => `${phase.wave ?? "-"} ${phase.step}: ${phase.items.map(({ ref }) => ref.name).join(" ")}`,
  );

describe("the order of a bundle's objects", () => {
  it("places objects after those that they need, and webhooks after workloads", () => {
    const items = [
      item("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "hook"),
      gadget("cr"),
      item("apps/v1", "Deployment", "web", "shop"),
      item("rbac.authorization.k8s.io/v1", "Role", "role", "shop"),
      crd("Gadget"),
      item("v1", "Secret", "secret", "shop"),
      namespace("shop"),
    ];
    assert.deepEqual(reported(items), [
      "- namespaces: shop",
      "- kinds: Gadget",
      "- foundations: role secret",
      "- workloads: web cr",
      "- webhooks: hook",
    ]);
  });

  it("follows the numbers of the files, with unnumbered files last", () => {
    const items = [
      item("v1", "ConfigMap", "last", "shop"),
      item("apps/v1", "Deployment", "database", "shop", 1),
      item("v1", "ConfigMap", "settings", "shop", 2),
    ];
    assert.deepEqual(reported(items), ["1 workloads: database", "2 foundations: settings", "- foundations: last"]);
  });

  it("places a namespace and a CRD before the objects that need them, despite their numbers", () => {
    assert.deepEqual(reported([gadget("cr", 1), crd("Gadget", 2), namespace("shop", 3), crd("Other", 4)]), [
      "1 namespaces: shop",
      "1 kinds: Gadget",
      "1 workloads: cr",
      "4 kinds: Other",
    ]);
  });

  it("keeps every object, and never places one before its namespace or CRD", () => {
    const wave = fc.option(fc.nat({ max: 3 }), { nil: undefined });
    const kinds = fc.constantFrom<(wave?: number) => Item>(
      (wave) => gadget("cr", wave),
      (wave) => crd("Gadget", wave),
      (wave) => namespace("shop", wave),
      (wave) => item("v1", "ConfigMap", "map", "shop", wave),
      (wave) => item("apps/v1", "Deployment", "web", "shop", wave),
    );
    const bundle = fc.array(fc.tuple(kinds, wave).map(([make, number]) => make(number)));
    fc.assert(
      fc.property(bundle, (items) => {
        const order = phasesOf(items).flatMap((phase) => phase.items);
        assert.equal(order.length, items.length);
        assert.deepEqual(new Set(order), new Set(items));
        const first = (is: (ref: Ref) => boolean) => order.findIndex(({ ref }) => is(ref));
        const needing = first(({ namespace: place }) => place === "shop");
        const custom = first(({ kind }) => kind === "Gadget");
        if (first(isNamespace) >= 0 && needing >= 0) assert.ok(first(isNamespace) < needing);
        if (first(isCrd) >= 0 && custom >= 0) assert.ok(first(isCrd) < custom);
        for (const { step } of phasesOf(items)) assert.ok(STEPS.includes(step));
      }),
    );
  });

  it("places objects that only the cluster knows by their kind", () => {
    const known = [item("v1", "ConfigMap", "known", "shop").ref];
    const found = [gadget("cr"), item("v1", "ConfigMap", "known", "shop"), crd("Gadget"), namespace("shop")];
    const names = inventoryInOrder(
      known,
      found.map(({ ref }) => ref),
    ).map(({ name }) => name);
    assert.deepEqual(names, ["shop", "Gadget", "known", "cr"]);
  });
});
