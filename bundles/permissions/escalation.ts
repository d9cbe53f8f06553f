/** Permissions that allow escalation: with them, a user can get other permissions. */

import type { Asks, Permission } from "./asks";
import { compact } from "./rbac/compact";
import { PUBLIC_ROLES, WAYS } from "../../foundation/kubernetes/rights";
import { isUrlRight, rightsOf, type Right, type RbacRule } from "./rbac/rules";

/** Index of a permission's way to escalate; undefined if it has none. */
function wayOf(right: Right): number | undefined {
  if (isUrlRight(right)) return right.url === "*" && right.verb === "*" ? 0 : undefined;
  const index = WAYS.findIndex(({ groups, resources, verbs }, at) => {
    const anyGroup = right.group === "*" || groups.includes(right.group) || (at > 0 && groups.includes("*"));
    const whole = at === IMPERSONATION ? (right.resource.split("/")[0] ?? "") : right.resource;
    const anyResource = right.resource === "*" || resources.includes(whole) || (at > 0 && resources.includes("*"));
    if (!anyGroup || !anyResource) return false;
    return right.verb === "*" || verbs.includes(right.verb);
  });
  return index < 0 ? undefined : index;
}

/** `userextras/scopes` names a key of the user's extra fields. */
const IMPERSONATION = WAYS.findIndex(({ verbs }) => verbs.includes("impersonate"));

interface Sorted {
  /** In the order of {@link WAYS}. */
  readonly leads: readonly RbacRule[];
  readonly rest: readonly RbacRule[];
  /** Index of the most severe way; larger than all if there is none. */
  readonly way: number;
}

/** Splits the rules of a permission into those that allow escalation and others. */
export function sortRules({ rules, namespace }: Pick<Permission, "rules" | "namespace">): Sorted {
  const rights = rightsOf(rules, namespace);
  const ways = WAYS.map((_, index) => rights.filter((right) => wayOf(right) === index));
  return {
    leads: ways.flatMap((some) => compact(some)),
    rest: compact(rights.filter((right) => wayOf(right) === undefined)),
    way: ways.findIndex((some) => some.length > 0) >>> 0,
  };
}

/** Read-only roles of Kubernetes. */
const HARMLESS_ROLES = new Set(["view", "system:auth-delegator", ...PUBLIC_ROLES].map((name) => `ClusterRole ${name}`));

export const leadsByRole = ({ role }: Permission): boolean => role !== undefined && !HARMLESS_ROLES.has(role);

/** Severity of a role outside the bundle, as an index of {@link WAYS}. */
export const wayOfRole = ({ role }: Permission): number => (role === "ClusterRole cluster-admin" ? 0 : 1);

const OTHERS =
  / \(content [0-9a-f]{12}\): |: (reads Secret|copies|binds|receives requests to Service|has a token of|runs as)|: has annotation [^ ]+\/(role|role-arn|gcp-service-account|client-id) /;
const HARMLESS_HOST = /\(Pod Security\)$|^[^:]*: port \d+|: what every node sends|: the place of other pods|: setting /;

/** Lines of {@link Asks} that allow escalation. */
export const isWay = {
  others: (line: string): boolean => OTHERS.test(line),
  host: (line: string): boolean => !HARMLESS_HOST.test(line),
  webhooks: (): boolean => true,
} satisfies Partial<Record<keyof Asks, (line: string) => boolean>>;
