import assert from "node:assert/strict";
import { asks, NOTHING, type Permission } from "../../../../bundles/permissions/asks";
import { contentHash } from "../../../../bundles/permissions/effects/effects";
import { asksText } from "../../../../bundles/permissions/text";

const all = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
const allUrls = { verbs: ["*"], nonResourceURLs: ["*"] };
const rule = (group: string, resource: string, ...verbs: string[]) => ({
  verbs,
  apiGroups: [group],
  resources: [resource],
});
const RBAC = "rbac.authorization.k8s.io";
const LEADS = "Gives access to objects of other owners, or to the whole cluster:";
const GIVES = "Permissions that it grants:";
const text = (...permissions: Permission[]): string[] => asksText({ ...NOTHING, permissions });

describe("the text of an approval", () => {
  it("lists the most powerful subjects first, regardless of their names", () => {
    assert.deepEqual(
      text(
        { subject: "User a", rules: [rule("", "users", "impersonate")] },
        { subject: "User b", rules: [rule(RBAC, "clusterroles", "escalate")] },
        { subject: "User c", rules: [], role: "ClusterRole admin" },
        { subject: "User d", rules: [rule("", "secrets", "list")] },
        { subject: "User e", rules: [all, allUrls] },
        { subject: "User f", rules: [], role: "ClusterRole cluster-admin" },
      ).filter((line) => line.includes("User")),
      [
        "  User e, in the whole cluster:",
        "  User f, in the whole cluster: everything that ClusterRole cluster-admin allows",
        "  User c, in the whole cluster: everything that ClusterRole admin allows",
        "  User d, in the whole cluster:",
        "  User b, in the whole cluster:",
        "  User a, in the whole cluster:",
      ],
    );
  });

  it("lists subjects with the same permissions and scope on one line", () => {
    const rules = [rule("", "secrets", "get"), rule("", "pods", "list")];
    assert.deepEqual(
      text(
        { subject: "User a", rules },
        { subject: "User b", rules },
        { subject: "User b", namespace: "shop", rules },
        { subject: "User c", rules: [all, allUrls] },
      ),
      [
        LEADS,
        "  User c, in the whole cluster:",
        "    do anything with everything",
        "  User a, User b, in the whole cluster:",
        "    get secrets",
        "  User b, in namespace shop:",
        "    get secrets",
        GIVES,
        "  User a, User b, in the whole cluster:",
        "    list pods",
        "  User b, in namespace shop:",
        "    list pods",
      ],
    );
  });

  it("counts impersonation as escalation, but not all verbs on a custom kind", () => {
    assert.deepEqual(text({ subject: "User a", rules: [rule("pkg.crossplane.io", "*", "*")] })[0], GIVES);
    for (const [group, resource] of [
      ["", "serviceaccounts"],
      ["", "groups"],
      ["authentication.k8s.io", "userextras/scopes"],
      ["*", "*"],
    ] as const)
      assert.equal(text({ subject: "User a", rules: [rule(group, resource, "impersonate")] })[0], LEADS, resource);
  });

  it("lists bootstrap tokens and cloud roles as escalations", () => {
    const token = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "t", namespace: "kube-system" },
      type: "bootstrap.kubernetes.io/token",
    };
    const account = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "a", annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/r" } },
    };
    assert.deepEqual(asksText(asks([token, account], "kube-system")), [
      LEADS,
      `  Secret kube-system/t (content ${contentHash(token)}): gives everybody who knows it access to the cluster (bootstrap token)`,
      "  ServiceAccount kube-system/a: has annotation eks.amazonaws.com/role-arn arn:aws:iam::123456789012:role/r",
    ]);
  });

  it("does not treat Helm's labels on a role as labels for aggregation", () => {
    const role = {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRole",
      metadata: { name: "r", labels: { heritage: "Helm", release: "r", chart: "c-1" } },
      rules: [rule("", "secrets", "get")],
    };
    assert.deepEqual(
      asks([role], "shop").permissions.map(({ subject }) => subject),
      ["everybody bound to ClusterRole r"],
    );
  });
});
