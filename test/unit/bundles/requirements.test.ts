import assert from "node:assert/strict";
import { isProvidedKind, REQUIREMENT } from "../../../provider/resources/bundleRelease/wanted/requirements";

const provided = ["widgets.shop.example.com", "gadgets.other.example.com"];

describe("a requirement of a bundle", () => {
  it("is a kind with its API version", () => {
    for (const text of ["v1/ConfigMap", "apps/v1/Deployment", "monitoring.coreos.com/v1beta1/ServiceMonitor"]) {
      assert.match(text, REQUIREMENT);
    }
    for (const text of ["ConfigMap", "apps/Deployment", "v1/configmap", "apps/v1/"])
      assert.doesNotMatch(text, REQUIREMENT);
  });

  it("is provided by an earlier bundle that includes its API group", () => {
    assert.ok(isProvidedKind("shop.example.com/v1/Widget", provided));
    assert.ok(!isProvidedKind("example.com/v1/Widget", []));
    assert.ok(!isProvidedKind("hop.example.com/v1/Widget", provided));
  });
});
