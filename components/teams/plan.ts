/** What a team has on a cluster. Pure. */

import { namespaceObjects } from "../namespaces/plan";
import type { NamespaceConfig } from "../namespaces/settings";

/** A decoded team. */
export interface TeamConfig {
  readonly namespace: string;
  /** Kubernetes group of its members. */
  readonly group: string;
  /** ClusterRole that the group has in the namespace. */
  readonly role: string;
  /** ARNs of IAM roles and users, each once. */
  readonly principals: readonly string[];
  readonly protection: NamespaceConfig;
}

const RBAC = "rbac.authorization.k8s.io";

/** What stays when the team goes: its namespace with policies and quota. */
export const teamNamespace = ({ namespace, protection }: TeamConfig) =>
  namespaceObjects(namespace, [{ kind: "team", config: protection, passes: "baseline" }]);

/** What goes with the team: the rights of its group. */
export const teamBinding = ({ namespace, group, role }: TeamConfig) => ({
  apiVersion: `${RBAC}/v1`,
  kind: "RoleBinding",
  // Another role is another binding, because that of a binding is immutable.
  metadata: { name: `team-${role}`, namespace },
  roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
  subjects: [{ apiGroup: RBAC, kind: "Group", name: group }],
});

/** The groups of each principal: a member of several teams has one access entry with all of them. */
export function groupsOfPrincipals(teams: Readonly<Record<string, TeamConfig>>): ReadonlyMap<string, string[]> {
  const groups = new Map<string, Set<string>>();
  for (const { principals, group } of Object.values(teams))
    for (const each of principals) groups.set(each, (groups.get(each) ?? new Set()).add(group));
  return new Map([...groups].map(([principal, all]) => [principal, [...all].sort()]));
}
