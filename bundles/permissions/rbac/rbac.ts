/** Roles and bindings among objects. */

import { listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { EVERYTHING, rulesIn, type RbacRule } from "./rules";
import { isObject } from "../../../foundation/json/isObject";

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
export const rulesOfRole = (role: KubeObject): readonly RbacRule[] =>
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
