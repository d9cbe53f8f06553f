import assert from "node:assert/strict";
import { buildSchema, GraphQLEnumType } from "graphql";
import { messageOf } from "../../../service/api/runtimes/status";
import { stagesWith, type ClusterWork } from "../../../service/gardener/clusterStages";
import type { ClusterLimits } from "../../../service/kinds/clusterLimits";
import { kindOfOperation } from "../../../service/kinds/kind";
import { KINDS, operationType, type OperationKind } from "../../../service/kinds/kinds";
import { afterRequest, NO_LIMITS, withLimits } from "../../../service/lifetimes/rules";
import { fold } from "../../../service/operations/operationFor";
import { checked } from "../../../service/operations/input";
import { mayRequest } from "../../../service/operations/limits/mayRequest";
import { configAfter } from "../../../service/operations/queued";
import { SDL } from "./api/client";
import { deploymentRow } from "./api/fakeBackend";

const kind = "reset" as OperationKind;
const change = { deployment: { state: "running" } } as const;
const work = { shoots: {}, limits: { kyma: {}, bare: {} as ClusterLimits } } as ClusterWork;

describe("all kinds of operations", () => {
  it("are the values of the API's enum", () => {
    const type = buildSchema(SDL).getType("OperationKind");
    assert.ok(type instanceof GraphQLEnumType);
    assert.deepEqual(
      type
        .getValues()
        .map(({ name }) => name)
        .toSorted(),
      Object.keys(KINDS).toSorted(),
    );
  });
});

describe("a kind of operation that is not in the tree", () => {
  before(() => {
    const reset = kindOfOperation({
      participle: "reset",
      change: change.deployment,
      mayDeleteData: true,
      isUse: true,
      cluster: { waits: [{ name: "WaitForHibernation", goal: "changed", limit: "hibernation" }] },
      runtimes: { type: () => "Reset", started: "Starting to reset", stages: { apply: "Resetting" } },
    });
    Object.assign(KINDS, { reset });
  });
  after(() => Reflect.deleteProperty(KINDS, "reset"));

  it("has its own change, which a request can't replace", () => {
    assert.deepEqual(checked({ deployment: "acme", kind, change: { deployment: { slots: 2 } } }).change, change);
    const before = { deployment: { version: "1", state: "hibernated" } };
    assert.deepEqual(configAfter(before, { kind, change }, "dev").deployment, {
      version: "1",
      slots: 1,
      state: "running",
    });
    const update = { kind: "update", change: { deployment: { slots: 2 } }, refresh: false } as const;
    assert.equal(fold(update, { kind, change, refresh: false }).kind, "update");
  });

  it("is rejected for a protected or missing deployment", () => {
    const row = deploymentRow("acme-1", "acme");
    assert.throws(() => mayRequest({ deployment: "acme", kind }, undefined), /there is no deployment acme/);
    mayRequest({ deployment: "acme", kind }, row);
    assert.throws(
      () => mayRequest({ deployment: "acme", kind }, { ...row, protected: true }),
      /deployment acme is protected, and reset may delete its disk/,
    );
  });

  it("has its stages, with a cluster and without", () => {
    const names = (deployment: object) =>
      stagesWith(work)({ kind, change }, { desiredConfig: { deployment } }).map(({ name }) => name);
    assert.deepEqual(names({}), ["settle", "apply"]);
    assert.deepEqual(names({ cluster: {} }), ["settle", "apply", "WaitForHibernation"]);
  });

  it("counts as a use", () => {
    const [start, now] = [new Date(0), new Date(1)];
    const lifetime = withLimits(undefined, NO_LIMITS, { isStopped: false, now: start });
    assert.deepEqual(afterRequest(lifetime, kind, "running", now).usedAt, now);
  });

  it("has its terms in the runtime API", () => {
    assert.equal(operationType({ kind, change }, true), "Reset");
    const asked = { kind, change, message: "", stage: "apply" };
    assert.equal(messageOf({ ...asked, state: "pending" }), "Starting to reset");
    assert.equal(messageOf({ ...asked, state: "in_progress" }), "Operation in progress. Stage Resetting");
  });
});
