import assert from "node:assert/strict";
import fc from "fast-check";
import { Refused } from "../../../bundles/errors";
import { compact } from "../../../bundles/permissions/rbac/compact";
import { missing, openRights, scopesOf, type Answers } from "../../../bundles/permissions/reviews";
import type { PlacedObject } from "../../../bundles/permissions/place";
import { planPermissions, rolesToRead } from "../../../bundles/permissions/permissionPlan";
import {
  EVERYTHING,
  gives,
  isUrlRight,
  rightKey,
  rightsOf,
  type Right,
  type RbacRule,
} from "../../../bundles/permissions/rbac/rules";
import { asYaml, rolesFor } from "../../../bundles/permissions/rbac/role";
import type { Json } from "../../../foundation/json/isObject";

const RBAC = "rbac.authorization.k8s.io";

const placed = (
  group: string,
  kind: string,
  resource: string,
  name: string,
  namespace?: string,
  more: Json = {},
): PlacedObject => ({
  object: { apiVersion: group === "" ? "v1" : `${group}/v1`, kind, metadata: { name }, ...more },
  group,
  resource,
  ...(namespace === undefined ? {} : { namespace }),
});
const configMap = (name: string, namespace = "shop") => placed("", "ConfigMap", "configmaps", name, namespace);
const role = (rules: readonly RbacRule[]) => placed(RBAC, "Role", "roles", "web", "shop", { rules });
const clusterRole = (rules: readonly RbacRule[], more: Json = {}) =>
  placed(RBAC, "ClusterRole", "clusterroles", "web", undefined, { rules, ...more });
const binding = (kind: string, name: string) =>
  placed(RBAC, "RoleBinding", "rolebindings", "web", "shop", { roleRef: { apiGroup: RBAC, kind, name } });

/** What an identity with these rules in `shop` and in the whole cluster lacks. */
function lacks(
  objects: readonly PlacedObject[],
  shop: readonly RbacRule[],
  all: readonly RbacRule[] = [],
  roles: Record<string, RbacRule[]> = {},
): string[] {
  const plan = planPermissions(objects, new Map(Object.entries(roles)));
  const rules = new Map<string | undefined, Answers["rules"] extends ReadonlyMap<unknown, infer V> ? V : never>();
  for (const scope of scopesOf(plan))
    rules.set(scope, { rules: scope === undefined ? all : [...shop, ...all], incomplete: false });
  return missing(plan, { rules, access: new Map() }).map(text);
}
const text = (right: Right): string =>
  isUrlRight(right)
    ? `${right.verb} ${right.url}`
    : `${right.verb} ${right.resource}${right.group && `.${right.group}`}${right.name === undefined ? "" : `/${right.name}`} ${right.namespace ?? "*"}`;

const rbacOn = (...resources: string[]): RbacRule => ({
  verbs: ["get", "list", "create", "patch", "delete"],
  apiGroups: [RBAC],
  resources,
});

describe("the list of permissions that an apply needs", () => {
  it("has five verbs for each object, three of them limited to its name", () => {
    assert.deepEqual(lacks([configMap("a"), configMap("b")], []), [
      ...["get configmaps/a shop", "patch configmaps/a shop", "delete configmaps/a shop"],
      ...["create configmaps shop", "list configmaps shop"],
      ...["get configmaps/b shop", "patch configmaps/b shop", "delete configmaps/b shop"],
    ]);
  });

  it("has cluster-wide permissions for cluster-scoped objects", () => {
    const namespace = placed("", "Namespace", "namespaces", "shop");
    assert.equal(lacks([namespace], [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]).length, 5);
    assert.deepEqual(lacks([namespace], [], [{ verbs: ["*"], apiGroups: [""], resources: ["namespaces"] }]), []);
  });

  it("has the permissions that a role grants, unless escalate is allowed", () => {
    const rules = [{ verbs: ["get", "list"], apiGroups: [""], resources: ["secrets"], resourceNames: ["a"] }];
    const rest = ["get secrets/a shop", "list secrets/a shop"];
    assert.deepEqual(lacks([role(rules)], [rbacOn("roles")]), rest);
    assert.deepEqual(
      lacks([role(rules)], [rbacOn("roles"), { verbs: ["*"], apiGroups: [""], resources: ["secrets"] }]),
      [],
    );
    const escalate = { verbs: ["escalate"], apiGroups: [RBAC], resources: ["roles"], resourceNames: ["web"] };
    assert.deepEqual(lacks([role(rules)], [rbacOn("roles"), escalate]), []);
    assert.deepEqual(lacks([role(rules)], [rbacOn("roles"), { ...escalate, resourceNames: ["other"] }]), rest);
  });

  it("has the same wildcard that a role grants", () => {
    const rules = [{ verbs: ["get"], apiGroups: ["*"], resources: ["pods"] }];
    assert.deepEqual(
      lacks([role(rules)], [rbacOn("roles"), { verbs: ["get"], apiGroups: ["", "apps"], resources: ["*"] }]),
      ["get pods.* shop"],
    );
    assert.deepEqual(
      lacks([role(rules)], [rbacOn("roles"), { verbs: ["get"], apiGroups: ["*"], resources: ["*"] }]),
      [],
    );
  });

  it("has cluster-wide permissions for a ClusterRole, and all permissions for an aggregated one", () => {
    const rules = [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }];
    const all = [rbacOn("clusterroles")];
    assert.deepEqual(lacks([clusterRole(rules)], rules, all), ["get pods *"]);
    assert.deepEqual(lacks([clusterRole(rules, { aggregationRule: {} })], [], [...all, ...rules]), ["* *.* *", "* *"]);
    assert.deepEqual(lacks([clusterRole(rules, { aggregationRule: {} })], [], EVERYTHING), []);
  });

  it("has the permissions of a role in the scope of its binding, unless bind is allowed", () => {
    const rules = [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }];
    const own = [rbacOn("roles", "rolebindings"), rbacOn("clusterroles")];
    assert.deepEqual(lacks([binding("ClusterRole", "web"), clusterRole(rules)], own, own), [
      "get pods shop",
      "get pods *",
    ]);
    assert.deepEqual(lacks([binding("Role", "web"), role(rules)], own), ["get pods shop"]);
    assert.deepEqual(lacks([binding("ClusterRole", "view")], own, [], { "ClusterRole//view": rules }), [
      "get pods shop",
    ]);
    const bind = { verbs: ["bind"], apiGroups: [RBAC], resources: ["clusterroles"], resourceNames: ["view"] };
    assert.deepEqual(lacks([binding("ClusterRole", "view")], [...own, bind]), []);
    // Nobody knows what it gives.
    assert.deepEqual(lacks([binding("ClusterRole", "view")], own), [`bind clusterroles.${RBAC}/view shop`]);
  });

  it("requires reading only roles that the bundle does not include", () => {
    assert.deepEqual(
      rolesToRead([
        binding("ClusterRole", "view"),
        binding("ClusterRole", "web"),
        clusterRole([]),
        binding("Role", "x"),
      ]),
      [
        { kind: "ClusterRole", name: "view" },
        { kind: "Role", name: "x", namespace: "shop" },
      ],
    );
  });

  it("is shorter for objects that stay or leave", () => {
    const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }];
    const away = { ...configMap("a"), fate: "leaves" as const };
    assert.deepEqual(lacks([away], []), [
      ...["get", "patch", "delete"].map((verb) => `${verb} configmaps/a shop`),
      "list configmaps shop",
    ]);
    // It gives no rights again.
    const stays = { ...role(rules), fate: "stays" as const };
    assert.ok(!lacks([stays], []).some((one) => one.includes("secrets")));
    assert.ok(lacks([role(rules)], []).includes("get secrets shop"));
  });

  it("has permission to list the objects of a CRD", () => {
    const kind = placed(
      "apiextensions.k8s.io",
      "CustomResourceDefinition",
      "customresourcedefinitions",
      "as.example.com",
    );
    assert.ok(lacks([kind], []).includes("list as.example.com *"));
  });

  it("needs single access checks only if the rules are incomplete", () => {
    const plan = planPermissions([configMap("a", "shop"), configMap("b", "other")], new Map());
    const none = { rules: [], incomplete: false };
    const answers = (shop: object): Answers => ({
      rules: new Map([
        ["other", none],
        ["shop", { ...none, ...shop }],
      ]),
      access: new Map(),
    });
    assert.deepEqual(openRights(plan, answers({})), []);
    const some = [{ verbs: ["get", "patch", "delete", "list"], apiGroups: [""], resources: ["configmaps"] }];
    const open = openRights(plan, answers({ rules: some, incomplete: true }));
    assert.deepEqual(open.map(text), ["create configmaps shop"]);
    const access = new Map([[rightKey(open[0]!), true]]);
    const left = missing(plan, { ...answers({ rules: some, incomplete: true }), access });
    assert.ok(left.every((right) => !isUrlRight(right) && right.namespace === "other"));
    assert.equal(left.length, 5);
  });

  it("rejects rules that expand to too many permissions", () => {
    const many = Array.from({ length: 100 }, (_, index) => `x${index}`);
    assert.throws(() => rightsOf([{ verbs: many, apiGroups: many, resources: many }], undefined), Refused);
  });
});

describe("the rules that a bundle needs", () => {
  it("grant what RBAC defines", () => {
    const pods = { verb: "get", group: "", resource: "pods" };
    const on = (more: Partial<RbacRule>): RbacRule => ({
      verbs: ["get"],
      apiGroups: [""],
      resources: ["pods"],
      ...more,
    });
    assert.ok(gives(on({}), pods));
    assert.ok(gives(on({}), { ...pods, name: "a" }));
    assert.ok(!gives(on({ resourceNames: ["a"] }), pods));
    assert.ok(gives(on({ resourceNames: ["a"] }), { ...pods, name: "a" }));
    assert.ok(!gives(on({}), { ...pods, resource: "pods/log" }));
    assert.ok(gives(on({ resources: ["*/log"] }), { ...pods, resource: "pods/log" }));
    assert.ok(!gives(on({ resources: ["*/log"] }), pods));
    assert.ok(!gives(on({ apiGroups: ["apps"] }), pods));
    const urls = { verbs: ["get"], nonResourceURLs: ["/healthz/*", "/version"] };
    assert.ok(gives(urls, { verb: "get", url: "/healthz/a" }));
    assert.ok(!gives(urls, { verb: "get", url: "/versions" }));
  });

  const word = (...words: string[]) => fc.constantFrom(...words);
  const right: fc.Arbitrary<Right> = fc.oneof(
    fc.record(
      {
        verb: word("get", "list", "*", "bind"),
        group: word("", "apps", "*"),
        resource: word("pods", "pods/log", "*"),
        name: word("a", "b"),
      },
      { requiredKeys: ["verb", "group", "resource"] },
    ),
    fc.record({ verb: word("get", "put"), url: word("/a", "/b", "*") }),
  );

  it("grant exactly the permissions that they were written from", () => {
    fc.assert(
      fc.property(fc.array(right, { maxLength: 25 }), (rights) => {
        const without = new Set(rights.filter((one) => isUrlRight(one) || one.name === undefined).map(rightKey));
        const expected = rights.filter(
          (one) => isUrlRight(one) || one.name === undefined || !without.has(rightKey({ ...one, name: undefined })),
        );
        const given = rightsOf(compact(rights), undefined).map(rightKey).sort();
        assert.deepEqual(given, [...new Set(expected.map(rightKey))].sort());
      }),
    );
  });

  it("leave no permission missing once they are granted", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word("a", "b", "c"), { minLength: 1 }),
        fc.array(right, { maxLength: 6 }),
        fc.boolean(),
        (names, given, withRole) => {
          const objects = [
            ...names.map((name) => configMap(name)),
            ...(withRole ? [role(compact(given.filter((one) => !isUrlRight(one))))] : []),
          ];
          const plan = planPermissions(objects, new Map());
          const rules = (some: readonly RbacRule[]): Answers => ({
            rules: new Map(scopesOf(plan).map((scope) => [scope, { rules: some, incomplete: false }])),
            access: new Map(),
          });
          const lacking = missing(plan, rules([]));
          assert.ok(lacking.length > 0);
          assert.deepEqual(missing(plan, rules(compact(lacking))), []);
        },
      ),
    );
  });
});

describe("the manifest of roles for missing permissions", () => {
  const rights: Right[] = [
    ...["get", "patch"].flatMap((verb) =>
      ["a", "b"].map((name) => ({ verb, group: "", resource: "configmaps", name, namespace: "shop" })),
    ),
    { verb: "create", group: "apps", resource: "deployments", namespace: "shop" },
    { verb: "create", group: "", resource: "configmaps", namespace: "shop" },
  ];

  it("has one Role and one RoleBinding if all permissions are in one namespace", () => {
    assert.equal(
      asYaml(rolesFor(rights, "system:serviceaccount:ci:deployer", "apply-bundle")),
      `apiVersion: ${RBAC}/v1
kind: Role
metadata:
  name: apply-bundle
  namespace: shop
rules:
  - apiGroups:
      - ''
    resources:
      - configmaps
    verbs:
      - create
  - apiGroups:
      - ''
    resources:
      - configmaps
    resourceNames:
      - a
      - b
    verbs:
      - get
      - patch
  - apiGroups:
      - apps
    resources:
      - deployments
    verbs:
      - create
---
apiVersion: ${RBAC}/v1
kind: RoleBinding
metadata:
  name: apply-bundle
  namespace: shop
roleRef:
  apiGroup: ${RBAC}
  kind: Role
  name: apply-bundle
subjects:
  - kind: ServiceAccount
    namespace: ci
    name: deployer
`,
    );
  });

  it("has one Role per namespace and one ClusterRole, so that none grants more", () => {
    const objects = rolesFor(
      [
        ...rights,
        { verb: "get", group: "", resource: "nodes" },
        { verb: "get", group: "", resource: "pods", namespace: "other" },
      ],
      "ada",
      "x",
    );
    assert.deepEqual(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}`),
      ["ClusterRole ", "ClusterRoleBinding ", "Role other", "RoleBinding other", "Role shop", "RoleBinding shop"],
    );
    assert.deepEqual(objects[1]?.["subjects"], [{ kind: "User", apiGroup: RBAC, name: "ada" }]);
  });
});
