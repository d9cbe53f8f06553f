/** Roles and bindings among objects. */

import { groupOf, listAt, textAt, type KubeObject } from "../../../kubernetes/client/objects";
import { EVERYTHING, rulesIn, type Rule } from "./rules";
import { isObject } from "../../../foundation/json/isObject";

export const RBAC = "rbac.authorization.k8s.io";
const isRbac = ({ apiVersion }: KubeObject): boolean => groupOf(apiVersion) === RBAC;
export const isRole = (object: KubeObject): boolean => isRbac(object) && /^(Cluster)?Role$/.test(object.kind);
export const isBinding = (object: KubeObject): boolean => isRbac(object) && /^(Cluster)?RoleBinding$/.test(object.kind);

/** A role by kind, namespace (of a Role) and name. */
export interface RoleRef {
  readonly kind: "Role" | "ClusterRole";
  readonly namespace?: string;
  readonly name: string;
}

export const roleKey = ({ kind, namespace, name }: RoleRef): string => `${kind}/${namespace ?? ""}/${name}`;

/** Returns the role of a binding in this namespace. */
export function referredRole(binding: KubeObject, namespace: string | undefined): RoleRef {
  const name = textAt(binding, "roleRef", "name") ?? "";
  if (textAt(binding, "roleRef", "kind") === "Role") {
    return { kind: "Role", name, ...(namespace === undefined ? {} : { namespace }) };
  }
  return { kind: "ClusterRole", name };
}

/** Returns the rules of a role. An aggregated role is filled in later with unknown rules. */
export const rulesOfRole = (role: KubeObject): readonly Rule[] =>
  isObject(role["aggregationRule"]) ? [...EVERYTHING, ...rulesIn(role)] : rulesIn(role);

/** `ServiceAccount shop/web`, `User ada`, `Group system:authenticated`. */
export function subjectsOf(binding: KubeObject, namespace: string | undefined): string[] {
  return listAt(binding, "subjects").map((subject) => {
    const kind = textAt(subject, "kind") ?? "subject";
    const name = textAt(subject, "name") ?? "";
    if (kind !== "ServiceAccount") return `${kind} ${name}`;
    return `${kind} ${textAt(subject, "namespace") ?? namespace ?? ""}/${name}`;
  });
}
