import assert from "node:assert/strict";
import { isProvidedKind, REQUIREMENT } from "../../../provider/resources/bundleRelease/wanted/requirements";

const provided = ["widgets.shop.example.com", "gadgets.other.example.com"];

describe("What a bundle requires", () => {
  it("is kinds with their versions", () => {
    for (const text of ["v1/ConfigMap", "apps/v1/Deployment", "monitoring.coreos.com/v1beta1/ServiceMonitor"]) {
      assert.match(text, REQUIREMENT);
    }
    for (const text of ["ConfigMap", "apps/Deployment", "v1/configmap", "apps/v1/"])
      assert.doesNotMatch(text, REQUIREMENT);
  });

  it("is on its way where what comes before includes its group", () => {
    assert.ok(isProvidedKind("shop.example.com/v1/Widget", provided));
    assert.ok(!isProvidedKind("example.com/v1/Widget", []));
    assert.ok(!isProvidedKind("hop.example.com/v1/Widget", provided));
  });
});
