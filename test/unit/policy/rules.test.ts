import assert from "node:assert/strict";
import { allowanceOf, isExempt } from "../../../policy/allow";
import type { Asked, Finding } from "../../../policy/rule";
import { RULES } from "../../../policy/rules/rules";
import { isMutable } from "../../../policy/rules/images";
import { isProduction } from "../../../policy/rules/protection";
import { POLICY_CASES } from "../../fixtures/policyCases";

const ruleOf = (name: string) => RULES.find((rule) => rule.name === name) ?? assert.fail(`no rule ${name}`);
const asked = (type: string, props: Readonly<Record<string, unknown>>, more: Partial<Asked> = {}): Asked => ({
  type,
  name: "it",
  stack: "prod",
  isProtected: true,
  props,
  ...more,
});
const lines = (findings: readonly Finding[]): string[] => findings.map(({ part, message }) => `${part}: ${message}`);

describe("the policy pack", () => {
  it("has a case for each of its rules", () => {
    assert.deepEqual([...new Set(POLICY_CASES.map(({ rule }) => rule))].sort(), RULES.map(({ name }) => name).sort());
  });

  for (const { rule, type, good, bad, says, protectedOnly } of POLICY_CASES) {
    it(`accepts a good ${type.split(":").at(-1)} and rejects a bad one by ${rule}`, () => {
      const { check } = ruleOf(rule);
      assert.deepEqual(check(asked(type, good)), []);
      const found = lines(check(asked(type, bad, { isProtected: protectedOnly === undefined })));
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", says);
    });
  }

  it("checks the pods of every kind that creates pods", () => {
    const { check } = ruleOf("pinned-images");
    const pod = { containers: [{ name: "c", image: "example/app" }] };
    const inTemplate = { template: { spec: pod } };
    const specs: Record<string, object> = {
      Pod: pod,
      StatefulSet: inTemplate,
      DaemonSet: inTemplate,
      Job: inTemplate,
      CronJob: { jobTemplate: { spec: inTemplate } },
      RayCluster: { headGroupSpec: inTemplate, workerGroupSpecs: [inTemplate] },
    };
    for (const [kind, spec] of Object.entries(specs)) {
      const objects = [{ kind, metadata: { name: "x" }, spec }];
      const found = check(asked("stackyard:index:ManifestSet", { objects }));
      assert.equal(found.length, kind === "RayCluster" ? 2 : 1, kind);
    }
    assert.equal(check(asked("kubernetes:batch/v1:CronJob", { spec: specs["CronJob"] })).length, 1);
    const init = { containers: [], initContainers: pod.containers };
    assert.equal(check(asked("kubernetes:core/v1:Pod", { spec: init })).length, 1);
  });

  it("checks the values of a Helm release for images without a version", () => {
    const values = { hub: { image: { tag: "latest" } }, list: [{ tag: "1.2" }, { tag: "latest" }] };
    const found = lines(ruleOf("pinned-images").check(asked("kubernetes:helm.sh/v3:Release", { values })));
    assert.equal(found.length, 2);
    assert.match(found[0] ?? "", /^values\.hub\.image\.tag: /);
    assert.match(found[1] ?? "", /^values\.list\[1\]\.tag: /);
  });

  it("does not treat a registry port as a version", () => {
    for (const image of ["app", "host:5000/app", "app:latest", "a/b/app:main"]) assert.ok(isMutable(image), image);
    for (const image of ["app:1", "host:5000/app:1.2", "app@sha256:abc"]) assert.ok(!isMutable(image), image);
  });

  it("applies production rules only to production stacks", () => {
    const { check } = ruleOf("protected-in-production");
    const open = { isProtected: false };
    assert.deepEqual(check(asked("aws:s3/bucket:Bucket", {}, { ...open, stack: "dev" })), []);
    assert.equal(check(asked("aws:s3/bucket:Bucket", {}, open)).length, 1);
    for (const name of ["prod", "prod-eu", "eu-production", "a.prod"]) assert.ok(isProduction(name), name);
    for (const name of ["dev", "product-x", "reprod", "nonprod"]) assert.ok(!isProduction(name), name);
  });

  it("rejects roles that anyone can assume, and NotAction", () => {
    const { check } = ruleOf("no-wildcard-iam");
    const trust = (Principal: unknown) => JSON.stringify({ Statement: { Effect: "Allow", Principal } });
    for (const principal of ["*", { AWS: "*" }, { AWS: ["arn:aws:iam::1:root", "*"] }]) {
      assert.equal(check(asked("aws:iam/role:Role", { assumeRolePolicy: trust(principal) })).length, 1);
    }
    const service = trust({ Service: "ec2.amazonaws.com" });
    assert.deepEqual(check(asked("aws:iam/role:Role", { assumeRolePolicy: service })), []);
    const policy = JSON.stringify({ Statement: [{ Effect: "Allow", NotAction: "iam:*", Resource: "arn:x" }] });
    assert.match(lines(check(asked("aws:iam/policy:Policy", { policy })))[0] ?? "", /found NotAction/);
    const denied = JSON.stringify({ Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] });
    assert.deepEqual(check(asked("aws:iam/policy:Policy", { policy: denied })), []);
  });

  it("exempts resources that are named with a reason", () => {
    const allow = allowanceOf({ allow: { legacy: "goes in March", "Deployment a/b": "needs the host" } });
    assert.ok(isExempt(allow, "legacy", "whatever"));
    assert.ok(isExempt(allow, "set", "Deployment a/b"));
    assert.ok(!isExempt(allow, "set", "Deployment a/c"));
    assert.ok(!isExempt(allowanceOf({}), "toString", ""));
  });
});
