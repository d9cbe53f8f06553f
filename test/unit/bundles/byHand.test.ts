import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import { revertingManualChanges } from "../../../provider/resources/bundleRelease/live/byHand";

describe("the reversal of manual changes", () => {
  const AT = "using apps/v1 at 2026-01-01T00:00:00Z";
  /** Whether they are taken back where these managers hold fields. */
  const isTaken = async (restore: boolean, ...managers: string[]): Promise<boolean> => {
    const causes = managers.map((manager) => {
      return { field: ".spec", reason: "FieldManagerConflict", message: `conflict with ${manager}` };
    });
    return revertingManualChanges({ force: false, restore }, ({ force }) => {
      return force ? Promise.resolve(true) : Promise.reject(new ApiError("conflict", 409, "Conflict", causes));
    }).catch(() => false);
  };

  for (const manager of [
    `"kubectl-edit" ${AT}`,
    `"kubectl-patch" ${AT}`,
    `"kubectl" with subresource "scale" ${AT}`,
    `"kubectl-rollout" using apps/v1`,
  ]) {
    it(`reverts fields of ${manager}, but only if a refresh found the change`, async () => {
      assert.equal(await isTaken(true, manager), true);
      assert.equal(await isTaken(false, manager), false);
    });
  }

  for (const manager of [
    `"kubectl"`,
    `"kubectl-client-side-apply" ${AT}`,
    `"kube-controller-manager" with subresource "scale" ${AT}`,
    `"argocd-controller"`,
    `"kubectlish" ${AT}`,
  ]) {
    it(`keeps fields of ${manager}`, async () => {
      assert.equal(await isTaken(true, manager), false);
      assert.equal(await isTaken(true, `"kubectl-edit" ${AT}`, manager), false);
    });
  }

  it("does not retry after any other rejection", async () => {
    let tries = 0;
    const refusal = new ApiError("invalid", 422, "Invalid");
    await assert.rejects(
      revertingManualChanges({ force: false, restore: true }, () => {
        tries++;
        return Promise.reject(refusal);
      }),
      refusal,
    );
    assert.equal(tries, 1);
  });
});
