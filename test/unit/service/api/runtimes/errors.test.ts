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

  it("is tried again while the API can't be reached", () => {
    assert.equal(classify([`${SHOOT}connect ECONNREFUSED 127.0.0.1:1`]).passes, true);
  });
});
