import assert from "node:assert/strict";
import { ChoiceError } from "../../../components/runtime/choiceError";
import { Failure, failureKind, UsageError, type FailureKind } from "../../../foundation/errors";
import { runRefusal } from "../../../runtime/refusal";
import { backOff } from "../../../foundation/backOff";
import { pageText } from "../../fixtures/pages";
import { SERVICE_CODES } from "../../../service/operations/error";
import { classify } from "../../../service/operations/run/classify";
import { fullChange } from "../../../service/operations/run/deploymentStages";
import { brokenFailure, failureOf } from "../../../service/operations/run/failure";
import { describeOwner, isGone, newOwner } from "../../../service/operations/run/owner";
import { hostname } from "node:os";

describe("the documented table of operation errors", () => {
  const rows = [...pageText("docs/service-operations.md").matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)];
  const listed = rows.flatMap(([, code, components = ""]) =>
    [...components.matchAll(/`(\w+)`/g)].map(([, component]) => `${code} ${component}`),
  );

  for (const kind of ["input", "move", "protected", "platform", "locked", "changed", "ended", "state"] as const) {
    it(`contains the error for a failure of kind ${kind}`, () => {
      const { code, component } = classify(["x"], kind).error;
      assert.ok(listed.includes(`${code} ${component}`), `${code} ${component}`);
    });
  }

  it("contains each code of the service, and errors of other programs", () => {
    const codes = listed.map((each) => each.split(" ")[0]);
    for (const code of SERVICE_CODES) assert.ok(codes.includes(code), code);
    for (const text of ["connect ECONNREFUSED", "the database system is starting up", "unknown"]) {
      const { code, component } = classify([text]).error;
      assert.ok(listed.includes(`${code} ${component}`), text);
    }
  });
});

describe("a stage that failed", () => {
  it("is retried with exponential backoff and jitter, up to a limit", () => {
    const limits = { firstMs: 1000, mostMs: 8000 };
    const waits = (chance: number) => [1, 2, 3, 4, 5].map((attempt) => backOff(attempt, limits, () => chance));
    assert.deepEqual(waits(0), [1000, 2000, 4000, 8000, 8000]);
    assert.deepEqual(waits(1), [500, 1000, 2000, 4000, 4000]);
  });

  const kinds: Readonly<Record<FailureKind, readonly [code: string, component: string, passes: boolean]>> = {
    input: ["BAD_INPUT", "platform", false],
    move: ["CONFLICT", "platform", false],
    protected: ["PROTECTED", "platform", false],
    platform: ["PROVISIONING_FAILED", "platform", false],
    locked: ["UNAVAILABLE", "state", true],
    changed: ["UNAVAILABLE", "engine", true],
    ended: ["UNAVAILABLE", "engine", true],
    state: ["UNAVAILABLE", "database", true],
  };
  for (const [kind, expected] of Object.entries(kinds)) {
    it(`is classified by its failure kind, whatever its text: ${kind}`, () => {
      const { error, passes } = classify(["connect ECONNREFUSED; the object has been modified"], kind as FailureKind);
      assert.deepEqual([error.code, error.component, passes], expected);
      assert.equal(error.retryable, passes || error.code === "PROVISIONING_FAILED");
    });
  }

  it("keeps its failure kind through wrapped errors", () => {
    const input = new ChoiceError("no such provisioner");
    assert.equal(failureKind(new Error("outer", { cause: runRefusal(input) })), "input");
    assert.equal(failureKind(new Error("outer")), undefined);
    assert.equal(failureOf(new UsageError("version is missing")).error.code, "INTERNAL");
    assert.deepEqual(failureOf(new Failure("no database", "state")).passes, true);
  });

  const texts: readonly (readonly [string, string, string, boolean])[] = [
    ["no stack named 'a' found", "UNAVAILABLE", "engine", true],
    ["FATAL: the database system is shutting down (SQLSTATE 57P03)", "UNAVAILABLE", "database", true],
    ["connect ECONNREFUSED 127.0.0.1:6443", "UNAVAILABLE", "cluster", true],
    ["dial tcp: lookup api.example.com: no such host", "UNAVAILABLE", "cluster", true],
    ["the cluster at https://a cannot be reached: it is off", "UNAVAILABLE", "cluster", true],
    [
      "the cluster at https://a cannot be reached: its certificate is not trusted (self-signed certificate)",
      "PROVISIONING_FAILED",
      "cluster",
      false,
    ],
    [
      "https://a:6443/version: tls: failed to verify certificate: x509: certificate has expired; connection refused",
      "PROVISIONING_FAILED",
      "cluster",
      false,
    ],
    ["etcdserver: request timed out", "UNAVAILABLE", "cluster", true],
    ["the object has been modified; please apply your changes", "UNAVAILABLE", "cluster", true],
    ["host a has 1 free slot. Allow it to move to another host (--move)", "CONFLICT", "platform", false],
    ["StatefulSet a: a disk can't become smaller: it has 40 GiB", "BAD_INPUT", "platform", false],
    ["pod runtime-a-0: the image example/runtime:9 cannot be pulled", "PROVISIONING_FAILED", "engine", false],
  ];
  for (const [text, code, component, expected] of texts) {
    it(`is classified by its text if it has no failure kind: ${text}`, () => {
      const { error, passes } = classify([text]);
      assert.deepEqual([error.code, error.component, error.reason, passes], [code, component, text, expected]);
    });
  }

  it("is retried if its worker died, but not after a timeout or too much memory", () => {
    const passes = (broken: "died" | "timeout" | "memory") => brokenFailure({ broken, reason: "so" }).failure.passes;
    assert.deepEqual([passes("died"), passes("timeout"), passes("memory")], [true, false, false]);
    assert.equal(brokenFailure({ broken: "timeout", reason: "so" }).failure.error.code, "TIMEOUT");
  });

  it("shows only the first line of an internal error", () => {
    const { error, passes } = failureOf(new TypeError("undefined is not a function\n    at secret (/a.ts:1:2)"));
    assert.deepEqual([error.code, passes], ["INTERNAL", false]);
    assert.doesNotMatch(error.reason, /secret/);
  });
});

describe("an operation that is taken over", () => {
  it("has an ended owner only if its process was of this boot and PID namespace", function () {
    if (process.platform !== "linux") this.skip();
    const me = newOwner();
    const [host, pid, random, boot, namespace, start] = me.split(":");
    assert.deepEqual([host, pid], [hostname(), String(process.pid)]);
    assert.equal(isGone(me), false);
    const other = (...parts: unknown[]): boolean => isGone(parts.join(":"));
    assert.equal(other(host, pid, "b", boot, namespace, "1"), true, "its id was used before");
    assert.equal(other(host, 2 ** 22 + 1, "b", boot, namespace, start), true);
    assert.equal(other(host, pid, "b", boot, "1", "1"), false, "a container with the same host name");
    assert.equal(other(host, pid, "b", "b00f", namespace, "1"), false);
    assert.equal(other(host, pid, "b"), false, "a version of the service that wrote no identity");
    assert.equal(describeOwner(me), `${host}:${pid}:${random}`);
  });

  it("gives an empty stack the whole request", () => {
    const desiredConfig = { platform: "organization/stackyard/dev", deployment: { version: "1", slots: 2 } };
    assert.deepEqual(fullChange({ desiredConfig }, { deployment: { slots: 3 }, move: "b" }), {
      ...desiredConfig,
      move: "b",
    });
  });
});
