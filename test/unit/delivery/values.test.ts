import assert from "node:assert/strict";
import { changedValues } from "../../../cli/delivery/values";
import type { EngineStep } from "../../../engine/pulumi/events";
import { UNKNOWN } from "../../../foundation/pulumi/resource";

type Inputs = Readonly<Record<string, unknown>>;

const valuesOf = (before: Inputs | undefined, after: Inputs | undefined, more: Partial<EngineStep> = {}) => {
  const keys = Object.keys({ ...before, ...after });
  const detailedDiff = Object.fromEntries(keys.map((key) => [key, { diffKind: "update" }]));
  const op = before === undefined ? "create" : after === undefined ? "delete" : "update";
  const [old, next] = [before && { inputs: before }, after && { inputs: after }];
  return changedValues({ op, urn: "u", type: "t", old, new: next, detailedDiff, ...more });
};

describe("the values of a change", () => {
  it("are the old and the new ones of what differs, and all of a new resource", () => {
    const detailedDiff = { "tags.b": { diffKind: "update" } };
    const before = { name: "x", tags: { a: "1", b: "2" } };
    const after = { name: "x", tags: { a: "1", b: "3" } };
    const { lines } = valuesOf(before, after, { detailedDiff });
    assert.deepEqual(lines, ["  tags:", '    a: "1"', '-   b: "2"', '+   b: "3"']);
    const created = valuesOf(undefined, { name: "x", id: UNKNOWN }).lines;
    assert.deepEqual(created, ['+ id: "[known after the update]"', "+ name: x"]);
  });

  it("have long texts line by line", () => {
    const text = (middle: string): string => ["a", "b", "c", middle, "d", "e", "f", ""].join("\n");
    const { lines } = valuesOf({ script: text("old") }, { script: text("new") });
    assert.deepEqual(lines, ["    b", "    c", "-   old", "+   new", "    d", "    e"]);
  });

  it("have policies as what they allowed before and after, for each action and resource", () => {
    const policy = (actions: readonly string[]): string =>
      JSON.stringify({ Statement: [{ Effect: "Allow", Action: actions, Resource: "arn:aws:s3:::a/*" }] });
    const { lines } = valuesOf(
      { policy: policy(["s3:GetObject"]) },
      { policy: policy(["s3:GetObject", "s3:PutObject"]) },
    );
    assert.deepEqual(lines, [
      "  policy:",
      "    - allow s3:GetObject on arn:aws:s3:::a/*",
      "+   - allow s3:PutObject on arn:aws:s3:::a/*",
    ]);
    const trust = JSON.stringify({
      Statement: { Effect: "Deny", NotPrincipal: "*", NotAction: "sts:*", Condition: { Bool: { "aws:x": "true" } } },
    });
    assert.deepEqual(valuesOf(undefined, { assumeRolePolicy: trust }).lines, [
      "+ assumeRolePolicy:",
      '+   - deny all but * everything but sts:* if {"Bool":{"aws:x":"true"}}',
    ]);
  });

  it("have ranges with their sizes, and say what endpoints and versions do", () => {
    const vpc = (endpointPublicAccess: boolean, cidr: string) => ({
      vpcConfig: { endpointPublicAccess, publicAccessCidrs: [cidr] },
    });
    const { lines, words } = valuesOf(
      { version: "1.9", ...vpc(false, "203.0.113.0/24") },
      { version: "1.10", ...vpc(true, "0.0.0.0/0") },
    );
    assert.deepEqual(words, ["upgrade from 1.9 to 1.10", "the API server gets its endpoint on the internet"]);
    assert.ok(lines.includes("-     - 203.0.113.0/24 (256 addresses)"), lines.join("\n"));
    assert.ok(lines.includes("+     - 0.0.0.0/0 (everybody)"), lines.join("\n"));
  });

  it("have no secrets, and say which ones change", () => {
    const set = (password: string) => ({ objects: [{ kind: "Secret", data: { password } }] });
    const detailedDiff = { "objects[0].data.password": { diffKind: "update" } };
    const { lines, words } = valuesOf(set("b2xk"), set("bmV3"), { detailedDiff });
    assert.deepEqual(lines, []);
    assert.deepEqual(words, ["changed, with values that are secret: objects[0].data.password"]);
  });

  it("name what forces a replacement, and what goes along", () => {
    const inventory = ["v1/Service/shop/web", "apps/v1/StatefulSet/shop/db"];
    const old = { inputs: { name: "a" }, outputs: { inventory } };
    const detailedDiff = { name: { diffKind: "update-replace" } };
    const replaced = valuesOf({}, { name: "b" }, { op: "replace", old, detailedDiff });
    assert.deepEqual(replaced.words, [
      "takes 2 objects along: apps/v1/StatefulSet/shop/db, v1/Service/shop/web",
      "replaced because of name",
    ]);
    assert.deepEqual(replaced.lines, ["- name: a", "+ name: b"]);
    assert.match(valuesOf({}, undefined, { old }).words.join(), /^takes 2 objects along/);
  });
});
