import assert from "node:assert/strict";
import {
  isAdoption,
  makerOf,
  makerText,
  mayAdopt,
  mayTakeOver,
} from "../../../provider/resources/bundleRelease/ownership/adopt";
import { PART_OF, setId } from "../../../provider/resources/bundleRelease/live/applySet";
import { claimOn, isMember } from "../../../provider/resources/bundleRelease/ownership/ownership";
import type { KubeObject, Metadata } from "../../../kubernetes/client/objects";

const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
const live = (metadata: Partial<Metadata> = {}): KubeObject => ({
  ...{ apiVersion: ref.apiVersion, kind: ref.kind },
  metadata: { name: ref.name, namespace: ref.namespace, ...metadata },
});
const HELM = live({ annotations: { "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "shop" } });
const ARGO = live({ annotations: { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:shop/web" } });
const KUBECTL = live({ managedFields: [{ manager: "kubectl-client-side-apply" }] });

describe("What a release may take over", () => {
  const may = (adopt: string, object = live()): boolean => mayAdopt(object, ref, [adopt]);

  it("is named by its key, or by a pattern part by part", () => {
    for (const fits of [
      "apps/v1/Deployment/shop/web",
      "apps/v1/Deployment/shop/*",
      "*/v1/*/shop/w*b",
      "apps/*/Deployment/*/*",
    ])
      assert.ok(may(fits), fits);
    for (const other of [
      "apps/v1/Deployment/shop/we",
      "apps/v1/Deployment/*",
      "v1/*/shop/*",
      "apps/v1/StatefulSet/shop/*",
    ])
      assert.ok(!may(other), other);
  });

  it("is known by who made it, as the object says itself", () => {
    assert.deepEqual([HELM, ARGO, KUBECTL, live()].map(makerOf), ["helm", "argo", "kubectl", undefined]);
    assert.equal(makerText(HELM), "Helm release shop/shop");
    assert.ok(may("from helm", HELM));
    assert.ok(may("apps/v1/*/shop/* from argo", ARGO));
    assert.ok(!may("from helm", ARGO));
    assert.ok(!may("apps/v1/*/other/* from helm", HELM));
    assert.ok(!may("from kubectl", HELM));
  });

  it("is of another release only where that is named", () => {
    assert.ok(mayTakeOver("shop/old", ref, ["apps/v1/*/shop/* from bundle shop/old"]));
    assert.ok(mayTakeOver("shop/old", ref, ["from bundle shop/old"]));
    assert.ok(!mayTakeOver("shop/other", ref, ["from bundle shop/old", "apps/v1/Deployment/shop/web"]));
    assert.ok(!mayTakeOver("shop/old", ref, ["v1/*/shop/* from bundle shop/old"]));
    assert.ok(!may("from bundle shop/old"), "an object that no release has");
  });

  it("is written so that nothing else is meant by mistake", () => {
    for (const wrong of [
      "",
      "*",
      "from",
      "from chef",
      "helm",
      "Deployment/web",
      "apps/v1/Deployment/shop/web from",
      "a b",
    ])
      assert.ok(!isAdoption(wrong), wrong);
    for (const wrong of [
      "from bundle",
      "from bundle old",
      "from bundle shop/old x",
      "v1/ConfigMap/shop/a from bundle *",
    ])
      assert.ok(!isAdoption(wrong), wrong);
    for (const right of [
      "from bundle shop/old",
      "*/*/CustomResourceDefinition/* from bundle shop/old",
      "from helm",
      "v1/Namespace/shop",
      "v1/*/shop/* from kubectl",
    ])
      assert.ok(isAdoption(right), right);
  });

  it("is never what another bundle has, and the error says how to allow all of one maker", () => {
    const owner = { name: "shop", namespace: "shop" };
    assert.equal(claimOn(HELM, ref, owner, ["from helm"]), "adopted");
    const refused = claimOn(HELM, ref, owner, []) as { refused: string };
    assert.match(
      refused.refused,
      /adopt: \["apps\/v1\/Deployment\/shop\/web"\] or, for all that helm made, adopt: \["from helm"\], or kubectl annotate/,
    );
    const theirs = live({ ...HELM.metadata, labels: { "applyset.kubernetes.io/part-of": "other" } });
    assert.match(
      (claimOn(theirs, ref, owner, ["from helm"]) as { refused: string }).refused,
      /does not take over what another one manages/,
    );
  });
});

describe("A live object", () => {
  const owner = { name: "web", namespace: "shop" };
  const partOf = (name: string): KubeObject => live({ labels: { [PART_OF]: setId({ ...owner, name }) } });

  it("is a release's own where it is in its apply set, and another one's in any other set", () => {
    assert.equal(claimOn(partOf("web"), ref, owner, []), "ours");
    assert.match(JSON.stringify(claimOn(partOf("other"), ref, owner, [])), /belongs to the apply set/);
    assert.ok(isMember(partOf("web"), owner));
    assert.ok(!isMember(partOf("other"), owner));
    assert.ok(!isMember(live(), owner));
  });

  it("is in the set of the release of that namespace only", () => {
    assert.ok(!isMember(partOf("web"), { ...owner, namespace: "elsewhere" }));
  });
});
