/** What RBAC grants in a cluster, to whom. */

import type { Client } from "../../../kubernetes/client/client";
import { unlessForbidden } from "../../../kubernetes/client/lookUp";
import { forAll } from "../../../kubernetes/client/pool";
import { RBAC } from "../../../kubernetes/objects/rbac";
import { referredRole, roleKey, subjectsOf, type RoleRef } from "./rbac";
import { rulesIn, type RbacRule } from "./rules";

export interface Grant {
  /** `ServiceAccount shop/web`. */
  readonly subject: string;
  /** Default: cluster-wide. */
  readonly namespace?: string;
  readonly rules: readonly RbacRule[];
}

/** Returns what bindings grant; without those that the user may not list. `kinds`: of bindings. */
export async function grantsIn(
  client: Client,
  kinds: readonly string[] = ["ClusterRoleBinding", "RoleBinding"],
): Promise<Grant[]> {
  const listed = async (kind: string) => (await unlessForbidden(client.list({ apiVersion: `${RBAC}/v1`, kind }))) ?? [];
  const roleKinds = kinds.includes("RoleBinding") ? (["ClusterRole", "Role"] as const) : (["ClusterRole"] as const);
  const [bindings, roles] = await Promise.all([
    forAll(kinds, listed),
    forAll(roleKinds, async (kind) =>
      (await listed(kind)).map(({ metadata: { name, namespace }, ...role }) => {
        const ref: RoleRef = { kind, name, ...(namespace === undefined ? {} : { namespace }) };
        return [roleKey(ref), rulesIn(role)] as const;
      }),
    ),
  ]);
  const rulesOf = new Map(roles.flat());
  return bindings.flat().flatMap((binding) => {
    const { namespace } = binding.metadata;
    const rules = rulesOf.get(roleKey(referredRole(binding, namespace))) ?? [];
    return subjectsOf(binding, namespace).map((subject) => ({
      subject,
      rules,
      ...(namespace === undefined ? {} : { namespace }),
    }));
  });
}
