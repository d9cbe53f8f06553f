import assert from "node:assert/strict";
import { componentOf, reasonOf } from "../../../../../service/api/runtimes/errors";
import { classify } from "../../../../../service/operations/run/classify";

const SHOOT = "could not apply Shoot garden-dev/acme: ";

describe("an error of Gardener's API", () => {
  for (const [said, reason] of [
    ['shoots.core.gardener.cloud "acme" is forbidden: exceeded quota', "Forbidden"],
    ['admission webhook "validator" denied the request: no', "Forbidden"],
    ['Shoot.core.gardener.cloud "acme" is invalid: spec.region: Invalid value: "mars"', "Invalid"],
    ["failed to create typed patch object: .spec.colour: field not declared in schema", "Invalid"],
    ['namespaces "garden-dev" not found', "NotFound"],
    ["Unauthorized; the credentials of the kubeconfig are not accepted (expired?)", "Unauthorized"],
    ["Internal error occurred: no seed", "InternalError"],
  ] as const) {
    it(`has the component and the reason that the original gives (${said})`, () => {
      const { error, passes } = classify([SHOOT + said]);
      assert.deepEqual([componentOf(error), reasonOf(error), passes], ["k8s client - gardener", reason, false]);
    });
  }

  for (const [said, reason] of [
    ["the cluster at https://garden cannot be reached: nothing listens there (connection refused)", ""],
    ["the server has received too many requests and has asked us to try again later", "TooManyRequests"],
    ["502 Bad Gateway nginx", ""],
    ["504 Gateway Time-out nginx", "Timeout"],
    ["the server is currently unable to handle the request", "ServiceUnavailable"],
    ["the object has been modified; please apply your changes to the latest version and try again", "Conflict"],
  ] as const) {
    it(`that may pass has them too, and is tried again (${said})`, () => {
      const { error, passes } = classify([SHOOT + said]);
      assert.deepEqual([componentOf(error), reasonOf(error), passes], ["k8s client - gardener", reason, true]);
    });
  }

  it("is a timeout of the provisioner when it lasted too long", () => {
    const timeout = { code: "TIMEOUT", component: "gardener-api", reason: "Gardener does not answer: Unauthorized" };
    assert.deepEqual([componentOf(timeout), reasonOf(timeout)], ["provisioner", "err_provisioner_timeout"]);
  });

  it("keeps Gardener's codes when Gardener failed until the time limit", () => {
    const timeout = { code: "TIMEOUT", component: "gardener", reason: "Gardener failed (ERR_INFRA_DEPENDENCIES)" };
    assert.deepEqual([componentOf(timeout), reasonOf(timeout)], ["gardener", "ERR_INFRA_DEPENDENCIES"]);
  });
});
