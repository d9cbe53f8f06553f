import assert from "node:assert/strict";
import type { RuntimeConfig } from "../../../engine/stack/change";
import { OperationError } from "../../../service/operations";
import { sameConfig } from "../../../service/operations/desired";
import { configAfter } from "../../../service/operations/queued";
import { expectBasis, type DeployedState } from "../../../service/operations/run/outcome";

const platform = "organization/stackyard/dev";
const config = (deployment: object): RuntimeConfig => ({ platform, deployment });

describe("the config of a deployment", () => {
  it("is equal with and without the defaults, in any order", () => {
    const short = config({ version: "1", slots: 2 });
    const long = config({ slots: 2, id: "acme", environment: "prod", state: "running", annotations: {}, version: "1" });
    assert.equal(sameConfig(short, long, "acme"), true);
    assert.equal(sameConfig(short, config({ version: "1", slots: 3 }), "acme"), false);
    assert.equal(sameConfig(short, { ...short, platform: "organization/stackyard/prod" }, "acme"), false);
  });

  it("is compared literally if it has faults", () => {
    assert.equal(sameConfig(config({ slots: "x" }), config({ slots: "x" }), "acme"), true);
    assert.equal(sameConfig(config({ slots: "x" }), config({ slots: "y" }), "acme"), false);
  });

  it("includes the change after a request, and only the change for a new deployment", () => {
    const before = config({ version: "1", slots: 2 });
    const change = { deployment: { version: "2" } };
    const after = (kind: "provision" | "update" | "deprovision", of: RuntimeConfig | null = before) =>
      configAfter(of, { kind, change }, "organization/stackyard/other");
    assert.deepEqual(after("update"), config({ version: "2", slots: 2 }));
    assert.deepEqual(after("deprovision"), before);
    assert.deepEqual(after("deprovision", null), {});
    const own = { platform: "organization/stackyard/other", deployment: { version: "2", slots: 1 } };
    assert.deepEqual(after("provision"), own);
    assert.deepEqual(after("provision", null), own);
  });
});

describe("a request that names a revision", () => {
  const having = (desiredConfig?: RuntimeConfig): DeployedState => ({
    ...(desiredConfig && { desiredConfig }),
    provisioner: "shared",
    outputs: {},
    revisions: {},
  });
  const refused = (previousConfig: RuntimeConfig | null, has: DeployedState | null): boolean => {
    try {
      expectBasis({ deploymentId: "acme", previousConfig }, has);
      return false;
    } catch (error) {
      assert.ok(error instanceof OperationError);
      assert.deepEqual([error.code, error.path, error.retryable], ["CONFLICT", "revision", false]);
      return true;
    }
  };
  const basis = config({ version: "1", slots: 2 });

  it("runs on the config that the deployment had at that revision", () => {
    assert.equal(refused(basis, having(config({ version: "1", slots: 2, environment: "prod" }))), false);
  });

  it("is rejected if the config differs or nothing is left", () => {
    assert.equal(refused(basis, having(config({ version: "1", slots: 4 }))), true);
    assert.equal(refused(basis, null), true);
  });

  it("runs if nothing existed at that revision, or if the state does not show the config", () => {
    assert.equal(refused(null, null), false);
    const kyma = (version: string) => config({ cluster: {}, kyma: { version } });
    assert.equal(refused(kyma("1"), having(kyma("2"))), false);
    assert.equal(refused(basis, having()), false);
  });
});
