import assert from "node:assert/strict";
import { apiError } from "../../../kubernetes/client/apiError";
import { Unknown } from "../../../kubernetes/work/unknown";

const ref = { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "settings" };
const forbidden = (message: string): Error =>
  apiError("could not check it", 403, JSON.stringify({ kind: "Status", reason: "Forbidden", message }));
const lacking = (user: string, verb: string, resource: string, group = ""): Error =>
  forbidden(`x is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}"`);

describe("What a preview leaves open", () => {
  const logged = (unknown: Unknown): string[] => {
    const lines: string[] = [];
    unknown.log((_, text) => lines.push(text));
    return lines;
  };

  it("lists each lacking right of the user once, by verb", () => {
    const unknown = new Unknown();
    for (const verb of ["patch", "get", "patch"]) assert.ok(unknown.note(lacking("ann", verb, "roles", "rbac"), ref));
    assert.ok(unknown.note(lacking("ann", "patch", "configmaps"), ref));
    const [line = "", ...more] = logged(unknown);
    assert.match(line, /^unknown to this user, who may not get roles\.rbac; patch configmaps, roles\.rbac\. An update/);
    assert.deepEqual(more, []);
    assert.deepEqual(unknown.faults, []);
  });

  it("excludes quotas, policies, other errors, and what the impersonated user may not do", () => {
    const unknown = new Unknown("deployer");
    const others = [
      forbidden('pods "a" is forbidden: exceeded quota: small'),
      forbidden('pods "a" is forbidden: violates PodSecurity "restricted:latest"'),
      lacking("deployer", "patch", "configmaps"),
      apiError("could not read it", 404, "{}"),
      new Error('User "ann" cannot get resource "pods" in API group ""'),
    ];
    for (const each of others) assert.ok(!unknown.note(each, ref), each.message);
    assert.deepEqual(logged(unknown), []);
    assert.ok(unknown.note(lacking("ann", "impersonate", "users"), ref));
  });

  it("is a fault for a user who may write a part of the objects", () => {
    const unknown = new Unknown();
    unknown.note(lacking("ann", "patch", "configmaps"), ref);
    unknown.noteWrite();
    assert.match(unknown.faults.join(), /^ConfigMap shop\/settings: .*cannot patch resource "configmaps"/);
  });
});
