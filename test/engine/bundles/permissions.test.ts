import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { loadAll } from "js-yaml";
import { missingPermissions, whoami } from "../../../bundles/permissions/reviews";
import { placeObjects } from "../../../bundles/permissions/place";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { temporaryFolder } from "../../unit/bundles/samples";
import { testKubeconfig } from "../manifests/yard";
import { verifying } from "./verifying";

const RBAC = "rbac.authorization.k8s.io";
const namespace = `rights-${randomBytes(3).toString("hex")}`;
const user = `system:serviceaccount:${namespace}:deployer`;

const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  ...more,
});
const own = ({ apiVersion, kind, metadata: { name }, ...more }: KubeObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});

/** A role that reads secrets, bound; a role of the cluster, bound; a ClusterRole; a workload. */
const bundle: KubeObject[] = [
  object("v1", "ConfigMap", "settings", { data: { a: "1" } }),
  object(`${RBAC}/v1`, "Role", "reader", {
    rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] }],
  }),
  object(`${RBAC}/v1`, "RoleBinding", "reader", {
    roleRef: { apiGroup: RBAC, kind: "Role", name: "reader" },
    subjects: [{ kind: "ServiceAccount", name: "web", namespace }],
  }),
  object(`${RBAC}/v1`, "RoleBinding", "view", {
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name: "web", namespace }],
  }),
  own(object(`${RBAC}/v1`, "ClusterRole", namespace, { rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }] })),
];

describe("stackyard bundle verify for another user", () => {
  const folder = temporaryFolder();
  const verified = verifying(folder);
  let admin: Client;
  let deployer: Client;
  const made: KubeObject[] = [];

  const lacking = async (objects: readonly KubeObject[]) =>
    missingPermissions(deployer, (await placeObjects(admin.discovery, objects, namespace)).placed, admin);

  before(async () => {
    admin = connect(await testKubeconfig(), undefined, {});
    deployer = admin.as({ user });
    await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await admin.apply(object("v1", "ServiceAccount", "deployer"));
  });
  after(async () => {
    for (const { apiVersion, kind, metadata } of [...made, ...bundle.slice(-1)]) {
      await admin.remove({ apiVersion, kind, ...metadata });
    }
    await admin.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
  });

  it("impersonates the ServiceAccount with its permissions", async () => {
    assert.equal(await whoami(deployer), user);
    assert.notEqual(await whoami(admin), user);
    await assert.rejects(deployer.apply(bundle[0]!), (error) => error instanceof ApiError && error.code === 403);
  });

  it("reports no missing permissions for an administrator", async () => {
    assert.match(await verified(bundle, { namespace }), /^sha256:\w+ is a plain\+v0 bundle with 5 objects$/);
  });

  it("prints roles with exactly the missing permissions", async () => {
    const text = await verified(bundle, { namespace, as: user });
    const [yaml = "", error = ""] = text.split("\nerror: ");
    assert.match(
      error,
      new RegExp(`\n${user} may not apply it: \\d+ rights missing; the roles above give exactly that$`),
    );
    const roles = loadAll(yaml) as KubeObject[];
    assert.deepEqual(
      roles.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? "-"}`),
      ["ClusterRole -", "ClusterRoleBinding -", `Role ${namespace}`, `RoleBinding ${namespace}`],
    );
    for (const role of roles) made.push(await admin.apply(role));
    // The authorizer learns of them a moment later.
    for (let tries = 0; (await lacking(bundle)).length > 0; tries++) {
      assert.ok(tries < 50, JSON.stringify(await lacking(bundle)));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.match(await verified(bundle, { namespace, as: user }), /with 5 objects$/);
    for (const one of bundle) await deployer.apply(one);
    // It got nothing that was not asked for; to bind view, it has to have what view gives.
    assert.deepEqual(
      (await lacking([object("v1", "ConfigMap", "other")])).map(
        (right) => `${right.verb} ${"name" in right ? right.name : ""}`,
      ),
      ["patch other", "delete other"],
    );
  });

  it("reports permissions that the bundle's roles grant and the user lacks", async () => {
    const more = object(`${RBAC}/v1`, "Role", "reader", {
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["delete"] }],
    });
    assert.deepEqual(await lacking([more]), [{ verb: "delete", group: "", resource: "secrets", namespace }]);
    await assert.rejects(deployer.apply(more), /attempting to grant RBAC permissions not currently held/);
  });

  it("reports unknown kinds with their file and line", async () => {
    const text = await verified([object("nowhere.example.com/v1", "Thing", "a")], { namespace, as: user });
    assert.match(text, /it has kinds that are not known:\n {2}- manifests\/all\.yaml:1: the cluster has no kind Thing/);
  });
});
