import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigError } from "../../../foundation/schema/faults";
import { decodeRuntimeConfig } from "../../../components/runtime/deployment";
import { DEPLOYMENT_ID } from "../../../components/runtime/names";

const GOOD = { platform: "organization/stackyard/dev", deployment: { slots: 2, version: "0.50.0" } };
const decode = (values: object, stack = "acme") => decodeRuntimeConfig({ ...GOOD, ...values }, stack);

const faultsOf = (values: object, stack = "acme"): string[] => {
  try {
    decode(values, stack);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message
      .split("\n")
      .slice(1)
      .map((line) => line.replace("  - ", ""));
  }
  return [];
};

describe("the config of a runtime stack", () => {
  it("uses the stack's name as the id and adds the defaults", () => {
    assert.deepEqual(decode({}), {
      platform: "organization/stackyard/dev",
      deployment: { id: "acme", slots: 2, version: "0.50.0", environment: "prod", annotations: {}, state: "running" },
    });
  });

  it("rejects the name __proto__, which a schema does not see", () => {
    const annotations = JSON.parse('{ "__proto__": "a" }') as object;
    assert.deepEqual(faultsOf({ deployment: { ...GOOD.deployment, annotations } }), [
      "stackyard-runtime:deployment.annotations.__proto__: found a reserved name; expected another name",
    ]);
  });

  it("keeps all given values", () => {
    const deployment = {
      id: "Other.Id",
      slots: 1,
      version: "v1",
      environment: "dev",
      diskGb: 12.5,
      annotations: { organization_plan: "pro" },
      provisioner: "eu",
      state: "hibernated",
    };
    assert.deepEqual(decode({ deployment, move: "eu" }), { platform: GOOD.platform, deployment, move: "eu" });
  });

  it("treats an empty move as no move, because Pulumi.yaml needs a default", () => {
    assert.deepEqual(decode({ move: "" }), decode({}));
  });

  it("rejects a version that YAML reads as a number, with advice to quote it", () => {
    assert.deepEqual(faultsOf({ deployment: { slots: 1, version: 1.1 } }), [
      'stackyard-runtime:deployment.version: found 1.1; expected an image tag in quotes, such as "0.50.2"',
    ]);
  });

  it("reports all faults at once with path, found and expected value", () => {
    assert.deepEqual(
      faultsOf({
        platform: "dev",
        deployment: { slots: 0, version: "a b", anotations: {}, state: "asleep" },
        move: "EU",
        moves: "eu",
      }),
      [
        "stackyard-runtime:moves: found an unknown key; expected one of platform, deployment, move, command, base, operation, only, adopt, disk, deployed; did you mean move",
        'stackyard-runtime:platform: found "dev"; expected a stack as organization/project/stack, such as organization/stackyard/dev',
        "stackyard-runtime:deployment.slots: found 0; expected a whole number from 1",
        'stackyard-runtime:deployment.version: found "a b"; expected an image tag in quotes, such as "0.50.2"',
        'stackyard-runtime:deployment.state: found "asleep"; expected running or hibernated',
        "stackyard-runtime:deployment.anotations: found an unknown key; expected one of id, slots, version, environment, diskGb, annotations, provisioner, resources, cluster, kyma, runtime, state, protected; did you mean annotations",
        'stackyard-runtime:move: found "EU"; expected a legal name: a-z, 0-9 and inner -, 40 characters at most',
      ],
    );
  });

  it("says what is missing", () => {
    assert.throws(
      () => decodeRuntimeConfig({}, "acme"),
      /has 2 faults; nothing was changed\.\n {2}- stackyard-runtime:platform: found nothing.*\n {2}- stackyard-runtime:deployment: found nothing/,
    );
  });

  it("rejects slots that are not a whole number from 1", () => {
    for (const slots of [0, -1, 1.5, "2", null]) {
      assert.match(
        faultsOf({ deployment: { slots, version: "1" } }).join(),
        /deployment\.slots: found .*; expected a whole/,
      );
    }
  });

  it("rejects a stack name that is not a valid id, unless an id is given", () => {
    const long = "a".repeat(101);
    assert.match(faultsOf({}, long).join(), /deployment\.id: found nothing, and the stack's name "a+"/);
    assert.equal(decode({ deployment: { ...GOOD.deployment, id: "acme" } }, long).deployment.id, "acme");
  });

  it("accepts only valid ids", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 110 }), (id) => {
        assert.equal(faultsOf({ deployment: { ...GOOD.deployment, id } }).length === 0, DEPLOYMENT_ID.test(id));
      }),
    );
  });
});
