import { objectName, objectsOf, type KubeObject } from "../objects";
import { at, listOf, recordsOf, textOr } from "../../foundation/json/parts";
import { ALL_ACCOUNTS, PUBLIC_ROLES, WAYS, type Way } from "../../foundation/kubernetes/rights";
import type { Finding, Rule } from "../rule";

const has = (rule: KubeObject, key: string, value: string): boolean => listOf(rule[key]).includes(value);
const LOOKING = new Set(["get", "list", "watch"]);
/** API groups where access to all resources includes secrets, or the right to grant permissions. */
const CORE = ["", "rbac.authorization.k8s.io", "*"];

/** Describes how a rule grants too much; undefined if it doesn't. */
function faultOf(rule: KubeObject): string | undefined {
  if (["*", "/*"].some((url) => has(rule, "nonResourceURLs", url)) && has(rule, "verbs", "*"))
    return "found all verbs on all URLs";
  const core = CORE.find((group) => has(rule, "apiGroups", group));
  if (core === undefined) return undefined;
  const where = core === "*" ? "of all groups" : `of the group "${core}"`;
  if (has(rule, "verbs", "*")) return `found all verbs on ${listOf(rule["resources"]).join(", ")} ${where}`;
  if (!has(rule, "resources", "*")) return undefined;
  const verbs = listOf(rule["verbs"]).map(String);
  return verbs.every((verb) => LOOKING.has(verb)) && core !== "" && core !== "*"
    ? undefined
    : `found ${verbs.join(", ")} on all resources ${where}`;
}

/** What of {@link WAYS} the pack rejects. */
const STOPPED: readonly Way[] = WAYS.flatMap(({ stops, ...way }) =>
  stops === "nothing" ? [] : [{ ...way, ...stops }],
);
/** Pods run with any service account and Secret of their namespace, so this means all of them in a ClusterRole. */
const ANY_PODS: Way = { groups: [""], resources: ["pods"], verbs: ["create"] };

/** Describes a way to other rights that a rule opens; undefined if there is none. */
function wayOf(rule: KubeObject, ways: readonly Way[]): string | undefined {
  const texts = (key: string): string[] => listOf(rule[key]).map(String);
  const [groups, resources, verbs] = [texts("apiGroups"), texts("resources"), texts("verbs")];
  for (const way of ways) {
    const resource = resources.find((one) => way.resources.some((other) => resourceMeets(one, other)));
    const verb = verbs.find((one) => one === "*" || way.verbs.includes(one));
    const group = groups.find((one) => one === "*" || way.groups.includes(one));
    if (resource !== undefined && verb !== undefined && group !== undefined) return `found ${verb} on ${resource}`;
  }
  return undefined;
}

/** `*` and `*\/exec` stand for resources, and `userextras/scopes` names a key of `userextras`. */
const resourceMeets = (one: string, other: string): boolean =>
  ["*", other].includes(one) ||
  other === "*" ||
  one.split("/")[0] === (other === "userextras" ? other : undefined) ||
  (one.startsWith("*/") && other.endsWith(one.slice(1)));

/** Names that limit nothing: whoever may bind or impersonate these has all rights. */
const POWERFUL = new Set(["admin", "cluster-admin", "edit", "system:masters"]);
const isNamed = (rule: KubeObject): boolean => {
  const names = listOf(rule["resourceNames"]).map(String);
  return names.length > 0 && !names.some((name) => POWERFUL.has(name));
};

function roleFindings(object: KubeObject): Finding[] {
  const part = objectName(object);
  const ways = object["kind"] === "ClusterRole" ? [...STOPPED, ANY_PODS] : STOPPED;
  const selectors = recordsOf(at(object, "aggregationRule", "clusterRoleSelectors"));
  const any = selectors.find((one) => ["matchLabels", "matchExpressions"].every((key) => isEmpty(one[key])));
  return [
    ...(any === undefined
      ? []
      : [{ part, message: "found an aggregationRule that selects every role; expected roles by their labels" }]),
    ...recordsOf(object["rules"]).flatMap((rule) => {
      const wildcard = faultOf(rule);
      if (wildcard !== undefined) return [{ part, message: `${wildcard}; expected verbs and resources by name` }];
      const way = isNamed(rule) ? undefined : wayOf(rule, ways);
      const message = `${way}, with which one gets the rights of others; expected resourceNames, or a role without it`;
      return way === undefined ? [] : [{ part, message }];
    }),
  ];
}

const isEmpty = (value: unknown): boolean => value === undefined || Object.keys(value as object).length === 0;

/** Groups and users that stand for everybody. */
const EVERYBODY = new Set(["system:authenticated", "system:unauthenticated", "system:anonymous", ALL_ACCOUNTS]);
const STRANGERS = new Set(["system:unauthenticated", "system:anonymous"]);
/** Roles that every cluster has, with the rights of all users of a cluster or of all pods of a node, or a way to them. */
const CONTROL_PLANE =
  /^system:(controller:.+|kube-controller-manager|kube-scheduler|node|kubelet-api-admin|persistent-volume-provisioner|certificates\.k8s\.io:.+-approver)$/;

function bindingFindings(object: KubeObject): Finding[] {
  const part = objectName(object);
  const [kind, role] = [at(object, "roleRef", "kind"), textOr(at(object, "roleRef", "name"), "")];
  if (role === "cluster-admin" || CONTROL_PLANE.test(role))
    return [{ part, message: `found the role ${role}; expected a role with what is needed` }];
  // What a role of the namespace allows, its own object shows. It may be meant for all who have a login.
  const open = recordsOf(object["subjects"])
    .filter((subject) => subject["kind"] !== "ServiceAccount")
    .map(({ name }) => textOr(name, ""))
    .find((name) => (kind === "Role" ? STRANGERS : EVERYBODY).has(name));
  if (open === undefined || PUBLIC_ROLES.includes(role)) return [];
  return [{ part, message: `found the role ${role} for ${open}, which is everybody; expected subjects by name` }];
}

const CHECKS: Readonly<Record<string, (object: KubeObject) => Finding[]>> = {
  Role: roleFindings,
  ClusterRole: roleFindings,
  RoleBinding: bindingFindings,
  ClusterRoleBinding: bindingFindings,
};

export const rbac: Rule = {
  name: "no-wildcard-rbac",
  description:
    "Roles of Kubernetes allow verbs and resources by name and no way to other rights; no subject is bound to cluster-admin, and not everybody to a role.",
  check: (asked) =>
    objectsOf(asked).flatMap((object) => {
      const kind = textOr(object["kind"], "");
      return Object.hasOwn(CHECKS, kind) ? (CHECKS[kind]?.(object) ?? []) : [];
    }),
};
