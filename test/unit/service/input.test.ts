import assert from "node:assert/strict";
import { buildSchema, isInputObjectType } from "graphql";
import { deploymentShape } from "../../../components/runtime/deployment";
import { requestFaults } from "../../../engine/runtime/request/request";
import { renderPath } from "../../../foundation/schema/faults";
import { changeOf, CURSORS, pageArgs } from "../../../service/api/resolvers/arguments";
import { ApiError } from "../../../service/api/errors";
import type { DeploymentInput } from "../../../service/api/schema.types";
import { SDL } from "./api/client";
import { checked, type OperationInput } from "../../../service/operations/input";
import { OperationError } from "../../../service/operations/error";

const refusal = (asked: OperationInput): OperationError => {
  try {
    checked(asked);
  } catch (error) {
    assert.ok(error instanceof OperationError);
    return error;
  }
  throw new assert.AssertionError({ message: "it was accepted" });
};

describe("a request to the service", () => {
  it("is refused with every fault at once, each with its path", () => {
    const error = refusal({
      deployment: "no/slash",
      kind: "provision",
      change: { deployment: { slots: 0, version: "a b", environmnt: "x" } as never },
      idempotencyKey: "with blank",
    });
    assert.equal(error.code, "BAD_INPUT");
    assert.equal(error.path, "id");
    assert.deepEqual(
      error.reason.split("\n").map((line) => line.split(":")[0]),
      ["id", "idempotencyKey", "slots", "version", "environmnt"],
    );
    assert.match(error.reason, /environmnt: found an unknown key; expected .*; did you mean environment/);
  });

  it("can name a kept disk only for a new runtime", () => {
    const asked = (kind: OperationInput["kind"], disk: string): OperationInput => ({
      deployment: "acme",
      kind,
      change: { deployment: { version: "1" }, disk },
    });
    assert.equal(checked(asked("provision", "ns/data-runtime-acme-0")).change.disk, "ns/data-runtime-acme-0");
    assert.match(refusal(asked("update", "data")).reason, /^disk: found "data"; expected nothing; only a new runtime/);
    assert.match(
      refusal(asked("provision", "a/b/c")).reason,
      /^disk: found "a\/b\/c"; expected the name of a kept disk/,
    );
  });

  it("has the same faults in cluster, Kyma and registration as a file of deployments", () => {
    const inputs: DeploymentInput[] = [
      { cluster: { provider: "gpc", autoScalerMin: "3" } },
      { cluster: { machineTyp: "n1-standard-4", providerSpecificConfig: { gcpConfig: { zones: [] } } } },
      { cluster: [], kyma: "2.20.0", runtime: { nam: "x" } },
      { kyma: { components: [{ component: "" }] }, slots: 0 },
      { resources: { clickhouse: { provisioner: "Not legal" } }, diskGb: -1, environment: "a b" },
    ];
    for (const input of inputs) {
      const expected = requestFaults("a", input).map(({ path, message }) => `${renderPath(path.slice(1))}: ${message}`);
      assert.ok(expected.length > 0, JSON.stringify(input));
      const { code, reason } = refusal({ deployment: "a", kind: "update", change: { deployment: changeOf(input) } });
      assert.deepEqual([code, reason.split("\n")], ["BAD_INPUT", expected]);
    }
  });

  it("has all fields of a file of deployments except protected", () => {
    const input = buildSchema(SDL).getType("DeploymentInput");
    assert.ok(isInputObjectType(input));
    const inFile = Object.keys(deploymentShape).filter((field) => field !== "protected");
    assert.deepEqual(Object.keys(input.getFields()).toSorted(), inFile.toSorted());
  });

  it("requires kind move and a target provisioner for a move", () => {
    assert.equal(refusal({ deployment: "a", kind: "move" }).path, "provisioner");
    assert.equal(refusal({ deployment: "a", kind: "update", change: { deployment: {}, move: "b" } }).path, "move");
    const { change } = checked({ deployment: "a", kind: "move", change: { deployment: {}, move: "b" } });
    assert.deepEqual(change, { deployment: { provisioner: "b" }, move: "b" });
  });

  it("changes only the state when it hibernates or wakes a deployment", () => {
    const asked = { deployment: "a", change: { deployment: { version: "9" } } };
    assert.deepEqual(checked({ ...asked, kind: "hibernate" }).change, { deployment: { state: "hibernated" } });
    assert.deepEqual(checked({ ...asked, kind: "wake" }).change, { deployment: { state: "running" } });
    assert.deepEqual(checked({ ...asked, kind: "deprovision" }).change, { deployment: {} });
  });

  it("accepts the short name of a platform, and rejects an invalid platform with its path", () => {
    const asked = { deployment: "a", kind: "update" as const };
    const { change } = checked({ ...asked, change: { deployment: {}, platform: "dev" } });
    assert.equal(change.platform, "organization/stackyard/dev");
    assert.equal(refusal({ ...asked, change: { deployment: {}, platform: "a b" } }).path, "platform");
  });
});

describe("the arguments of a list", () => {
  const faultOf = (args: Parameters<typeof pageArgs>[0]): unknown => {
    try {
      return pageArgs(args, CURSORS.numbered);
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return `${error.parts.path}: ${error.parts.reason}`;
    }
  };

  it("have a size from 0 to 500", () => {
    for (const path of ["first", "last"] as const) {
      for (const size of [0, 1, 500]) assert.deepEqual(faultOf({ [path]: size }), { [path]: size, filter: {} });
      for (const size of [-1, 501])
        assert.equal(faultOf({ [path]: size }), `${path}: found ${size}; expected a whole number from 0 to 500`);
    }
  });

  it("are not set if they are null", () => {
    const filter = { environment: null };
    assert.deepEqual(faultOf({ first: null, after: null, filter: null }), { filter: {} });
    assert.deepEqual(faultOf({ last: 2, before: "7", filter }), { last: 2, before: "7", filter: {} });
  });

  it("have cursors that a list of that kind gives", () => {
    for (const path of ["after", "before"])
      assert.equal(faultOf({ [path]: "x" }), `${path}: found "x"; expected a cursor that this list gave`);
    const cursors: readonly [keyof typeof CURSORS, string, boolean][] = [
      ["deployments", "", true],
      ["times", "2026-11-27T16:00:00.000Z/acme", true],
      ["times", "2026-11-27T16:00:00.000Z/", false],
      ["operations", "0190b6a2-5f0e-7cc0-9d6c-3f0a4b5c6d7e", true],
      ["operations", "acme", false],
      ["numbered", "1".repeat(18), true],
      ["numbered", "1".repeat(19), false],
      ["numbered", "", false],
      ["disks", "runtimes/data-acme-0", true],
      ["disks", "data-acme-0", false],
    ];
    for (const [kind, text, isCursor] of cursors) assert.equal(CURSORS[kind](text), isCursor, `${kind} ${text}`);
  });
});
