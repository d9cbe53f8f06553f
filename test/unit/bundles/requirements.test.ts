import assert from "node:assert/strict";
import { UnknownKindError } from "../../../provider/kubernetes/discovery";
import { isAboutComing, isComing, REQUIREMENT } from "../../../provider/bundles/release/requirements";

const ground = ["widgets.shop.example.com", "gadgets.other.example.com"];

describe("What a bundle requires", () => {
  it("is kinds with their versions", () => {
    for (const text of ["v1/ConfigMap", "apps/v1/Deployment", "monitoring.coreos.com/v1beta1/ServiceMonitor"]) {
      assert.match(text, REQUIREMENT);
    }
    for (const text of ["ConfigMap", "apps/Deployment", "v1/configmap", "apps/v1/"])
      assert.doesNotMatch(text, REQUIREMENT);
  });

  it("is on its way where what comes before brings its group", () => {
    assert.ok(isComing("shop.example.com/v1/Widget", ground));
    assert.ok(!isComing("example.com/v1/Widget", []));
    assert.ok(!isComing("hop.example.com/v1/Widget", ground));
  });

  it("is why a preview fails only where nothing else is", () => {
    assert.ok(isAboutComing(new UnknownKindError("no", "shop.example.com/v1", "Widget"), ground));
    assert.ok(!isAboutComing(new UnknownKindError("no", "strange.example.com/v1", "Thing"), ground));
    const unknown = (group: string) => `all.yaml:3: the cluster has no kind Widget in ${group}/v1: it has none`;
    assert.ok(isAboutComing(new Error(unknown("shop.example.com")), ground));
    assert.ok(!isAboutComing(new Error(`${unknown("shop.example.com")}; ${unknown("strange.example.com")}`), ground));
    assert.ok(!isAboutComing(new Error("something else"), ground));
  });
});
