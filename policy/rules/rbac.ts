import { objectName, objectsOf, type KubeObject } from "../objects";
import { at, listOf, recordsOf } from "../../foundation/json/parts";
import type { Finding, Rule } from "../rule";

const has = (rule: KubeObject, key: string, value: string): boolean => listOf(rule[key]).includes(value);
const LOOKING = new Set(["get", "list", "watch"]);
/** API groups where access to all resources includes secrets, or the right to grant permissions. */
const CORE = ["", "rbac.authorization.k8s.io", "*"];

/** Describes how a rule grants too much; undefined if it doesn't. */
function faultOf(rule: KubeObject): string | undefined {
  if (has(rule, "nonResourceURLs", "*") && has(rule, "verbs", "*")) return "found all verbs on all URLs";
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

function findings(object: KubeObject): Finding[] {
  const part = objectName(object);
  const kind = String(object["kind"]);
  if (kind === "Role" || kind === "ClusterRole") {
    return recordsOf(object["rules"]).flatMap((rule) => {
      const fault = faultOf(rule);
      return fault === undefined ? [] : [{ part, message: `${fault}; expected verbs and resources by name` }];
    });
  }
  if (kind !== "RoleBinding" && kind !== "ClusterRoleBinding") return [];
  const role = at(object, "roleRef", "name");
  return role === "cluster-admin"
    ? [{ part, message: "found the role cluster-admin; expected a role with what is needed" }]
    : [];
}

export const rbac: Rule = {
  name: "no-wildcard-rbac",
  description: "Roles of Kubernetes allow verbs and resources by name, and no subject is bound to cluster-admin.",
  check: (asked) => objectsOf(asked).flatMap(findings),
};
