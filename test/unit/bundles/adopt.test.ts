import assert from "node:assert/strict";
import {
  isAdoption,
  makerOf,
  makerText,
  mayAdopt,
  mayTakeOver,
} from "../../../provider/resources/bundleRelease/ownership/adopt";
import { ADOPT_ANNOTATION, ownershipConflict } from "../../../kubernetes/owners/ownership";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { RECORD_LABEL } from "../../../kubernetes/owners/annotations";
import { extentOf, parentOf, PART_OF, setId, isMember } from "../../../provider/resources/bundleRelease/applySet";
import { claimOn } from "../../../provider/resources/bundleRelease/ownership/ownership";
import type { KubeObject, Metadata } from "../../../kubernetes/objects/objects";

const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
const live = (metadata: Partial<Metadata> = {}): KubeObject => ({
  ...{ apiVersion: ref.apiVersion, kind: ref.kind },
  metadata: { name: ref.name, namespace: ref.namespace, ...metadata },
});
const HELM = live({ annotations: { "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "shop" } });
const ARGO = live({ annotations: { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:shop/web" } });
const KUBECTL = live({ managedFields: [{ manager: "kubectl-client-side-apply" }] });

describe("an adoption rule", () => {
  const may = (adopt: string, object = live()): boolean => mayAdopt(object, ref, [adopt]);

  it("matches an object by its key or by a pattern for each part", () => {
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

  it("matches an object by the tool that created it", () => {
    assert.deepEqual([HELM, ARGO, KUBECTL, live()].map(makerOf), ["helm", "argo", "kubectl", undefined]);
    assert.equal(makerText(HELM), "Helm release shop/shop");
    assert.ok(may("from helm", HELM));
    assert.ok(may("apps/v1/*/shop/* from argo", ARGO));
    assert.ok(!may("from helm", ARGO));
    assert.ok(!may("apps/v1/*/other/* from helm", HELM));
    assert.ok(!may("from kubectl", HELM));
  });

  it("matches objects of another release only if it names that release", () => {
    assert.ok(mayTakeOver("shop/old", ref, ["apps/v1/*/shop/* from bundle shop/old"]));
    assert.ok(mayTakeOver("shop/old", ref, ["from bundle shop/old"]));
    assert.ok(!mayTakeOver("shop/other", ref, ["from bundle shop/old", "apps/v1/Deployment/shop/web"]));
    assert.ok(!mayTakeOver("shop/old", ref, ["v1/*/shop/* from bundle shop/old"]));
    assert.ok(!may("from bundle shop/old"), "an object that no release has");
  });

  it("is invalid if it is too broad or malformed", () => {
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

  it("never covers objects of another bundle, and is suggested in the error", () => {
    const owner = { name: "shop", namespace: "shop", tenure: { owner: "a", former: [] } };
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

describe("a live object", () => {
  const owner = { name: "web", namespace: "shop", tenure: { owner: "a", former: ["b"] } };
  const partOf = (name: string): KubeObject => live({ labels: { [PART_OF]: setId({ ...owner, name }) } });

  it("belongs to the release whose apply set it is in", () => {
    assert.equal(claimOn(partOf("web"), ref, owner, []), "ours");
    assert.match(JSON.stringify(claimOn(partOf("other"), ref, owner, [])), /belongs to the apply set/);
    assert.ok(isMember(partOf("web"), owner));
    assert.ok(!isMember(partOf("other"), owner));
    assert.ok(!isMember(live(), owner));
  });

  it("belongs to the release if its owner id is current, former or missing", () => {
    const labels = { [PART_OF]: setId(owner) };
    const withId = (id: string): KubeObject => live({ labels, annotations: { [OWNER_ANNOTATION]: id } });
    for (const own of [withId("a"), withId("b"), partOf("web")]) assert.equal(claimOn(own, ref, owner, []), "ours");
    const { refused } = claimOn(withId("c"), ref, owner, ["apps/v1/Deployment/shop/web"]) as { refused: string };
    assert.match(
      refused,
      /belongs to another owner of bundle shop\/web: its owner id is c\..* from bundle shop\/web"\]$/,
    );
    assert.equal(claimOn(withId("c"), ref, owner, ["from bundle shop/web"]), "adopted");
  });

  it("is never adopted if it records an owner", () => {
    const note = { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "bundle-one" };
    const adopt = ["v1/ConfigMap/shop/bundle-one", "from bundle shop/one", "from kubectl"];
    const annotations = { [ADOPT_ANNOTATION]: "shop.web" };
    const labels = parentOf({ name: "one", namespace: "shop" }, extentOf(owner, []), { digest: "" }).metadata.labels;
    const others = { [RECORD_LABEL]: "a" };
    for (const [found, whose] of [
      [{ ...labels, ...others }, "bundle shop/one"],
      [labels, "bundle shop/one"],
      [{ "applyset.kubernetes.io/id": "applyset-x-v1" }, "apply set applyset-x-v1"],
      [others, "set shop/web"],
    ] as const) {
      const claim = claimOn(live({ labels: found, annotations }), note, owner, adopt) as { refused: string };
      assert.ok(claim.refused.startsWith(`ConfigMap shop/bundle-one records who owns ${whose}, `), claim.refused);
      assert.doesNotMatch(claim.refused, /adopt/);
      const set = { set: "web", namespace: "shop" };
      const refused = ownershipConflict(live({ labels: found, annotations }), note, set) ?? "";
      assert.equal(refused, claim.refused.replace("of bundle shop/web", "of set shop/web"));
    }
  });

  it("does not belong to a release of the same name in another namespace", () => {
    assert.ok(!isMember(partOf("web"), { ...owner, namespace: "elsewhere" }));
  });
});
