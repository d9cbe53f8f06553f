import assert from "node:assert/strict";
import * as fc from "fast-check";
import { applyChange, missingFlags, type DeploymentChange } from "../../../engine/stack/change";

const DEV = "organization/stackyard/dev";

describe("a change of a runtime's config", () => {
  it("keeps fields that no flag names, known or unknown", () => {
    const before = { platform: "organization/stackyard/prod", deployment: { slots: 4, version: "1", later: "key" } };
    assert.deepEqual(applyChange(before, { deployment: { version: "2" } }, DEV), {
      platform: "organization/stackyard/prod",
      deployment: { slots: 4, version: "2", later: "key" },
      move: undefined,
    });
  });

  it("gives a new runtime one slot and the default platform", () => {
    assert.deepEqual(applyChange({}, { deployment: { version: "1" } }, DEV), {
      platform: DEV,
      deployment: { version: "1", slots: 1 },
      move: undefined,
    });
  });

  it("merges annotations by key, and removes those with an empty value", () => {
    const before = { deployment: { annotations: { team: "blue", stage: "x" } } };
    const { deployment } = applyChange(before, { deployment: { annotations: { stage: "", owner: "ann" } } }, DEV);
    assert.deepEqual(deployment, { annotations: { team: "blue", owner: "ann" }, slots: 1 });
  });

  it("keeps the password version under another provisioner, and removes the database on request", () => {
    const before = { deployment: { slots: 1, resources: { clickhouse: { provisioner: "a", passwordVersion: 2 } } } };
    const after = (resources: DeploymentChange["resources"]) =>
      applyChange(before, { deployment: { resources } }, DEV).deployment;
    const renamed = { clickhouse: { provisioner: "b", passwordVersion: 2 } };
    assert.deepEqual(after({ clickhouse: { provisioner: "b" } }), { slots: 1, resources: renamed });
    assert.deepEqual(after({ clickhouse: {} }), { slots: 1, resources: { clickhouse: { passwordVersion: 2 } } });
    assert.deepEqual(after({ clickhouse: { passwordVersion: 3 } }), {
      slots: 1,
      resources: { clickhouse: { passwordVersion: 3 } },
    });
    assert.deepEqual(after(undefined), before.deployment);
    assert.deepEqual(after({}), { slots: 1 });
  });

  it("keeps an existing permission to move, unless it is set or removed", () => {
    const before = { move: "eu" };
    assert.equal(applyChange(before, { deployment: {} }, DEV).move, "eu");
    assert.equal(applyChange(before, { deployment: {}, move: "us" }, DEV).move, "us");
    assert.equal(applyChange(before, { deployment: {}, move: null }, DEV).move, undefined);
  });

  it("requires a version for a new runtime", () => {
    assert.deepEqual(missingFlags(applyChange({}, { deployment: {} }, DEV)), ["--version"]);
    assert.deepEqual(missingFlags(applyChange({ deployment: { version: "1" } }, { deployment: {} }, DEV)), []);
  });

  it("changes nothing when it is applied again", () => {
    const change: fc.Arbitrary<DeploymentChange> = fc.record(
      {
        slots: fc.integer({ min: 1 }),
        version: fc.string({ minLength: 1 }),
        environment: fc.string({ minLength: 1 }),
        annotations: fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { noNullPrototype: true }),
        state: fc.constantFrom("running" as const, "hibernated" as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(change, change, (first, second) => {
        const before = applyChange({}, { deployment: first }, DEV);
        const once = applyChange(before, { deployment: second }, DEV);
        assert.deepEqual(applyChange(once, { deployment: second }, DEV), once);
      }),
    );
  });
});
