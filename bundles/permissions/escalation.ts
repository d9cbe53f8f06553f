/** Permissions that allow escalation: with them, a user can get other permissions. */

import type { Asks, Permission } from "./asks";
import { compact } from "./rbac/compact";
import { isUrlRight, rightsOf, type Right, type RbacRule } from "./rbac/rules";

const READ = ["get", "list", "watch"];
const WRITE = ["create", "update", "patch"];

interface Way {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Ordered by severity. */
const WAYS: readonly Way[] = [
  { groups: ["*"], resources: ["*"], verbs: [...READ, ...WRITE, "*"] },
  { groups: [""], resources: ["secrets"], verbs: [...READ, ...WRITE] },
  {
    groups: ["rbac.authorization.k8s.io"],
    resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
    verbs: [...WRITE, "bind", "escalate", "delete", "deletecollection"],
  },
  {
    groups: ["admissionregistration.k8s.io", "apiregistration.k8s.io", "apiextensions.k8s.io"],
    resources: ["*"],
    verbs: [...WRITE, "delete", "deletecollection"],
  },
  {
    groups: ["", "authentication.k8s.io"],
    resources: ["users", "groups", "uids", "serviceaccounts", "userextras"],
    verbs: ["impersonate"],
  },
  { groups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
  {
    groups: [""],
    resources: ["pods/exec", "pods/attach", "pods/portforward", "pods/proxy", "pods/ephemeralcontainers"],
    verbs: [...READ, ...WRITE],
  },
  { groups: [""], resources: ["nodes/proxy", "nodes", "persistentvolumes"], verbs: [...WRITE, "get"] },
  { groups: ["certificates.k8s.io"], resources: ["*"], verbs: ["approve", "sign", ...WRITE] },
];

/** Index of a permission's way to escalate; undefined if it has none. Reading nodes and volumes does not escalate. */
function wayOf(right: Right): number | undefined {
  if (isUrlRight(right)) return right.url === "*" && right.verb === "*" ? 0 : undefined;
  const index = WAYS.findIndex(({ groups, resources, verbs }, at) => {
    const anyGroup = right.group === "*" || groups.includes(right.group) || (at > 0 && groups.includes("*"));
    const whole = at === IMPERSONATION ? (right.resource.split("/")[0] ?? "") : right.resource;
    const anyResource = right.resource === "*" || resources.includes(whole) || (at > 0 && resources.includes("*"));
    if (!anyGroup || !anyResource) return false;
    if (right.verb === "*") return true;
    return verbs.includes(right.verb) && !(right.verb === "get" && !right.resource.includes("/") && at === NODES);
  });
  return index < 0 ? undefined : index;
}

const NODES = WAYS.findIndex(({ resources }) => resources.includes("nodes"));
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
const HARMLESS_ROLES =
  /^ClusterRole (view|system:auth-delegator|system:basic-user|system:discovery|system:public-info-viewer)$/;

export const leadsByRole = ({ role }: Permission): boolean => role !== undefined && !HARMLESS_ROLES.test(role);

/** Severity of a role outside the bundle, as an index of {@link WAYS}. */
export const wayOfRole = ({ role }: Permission): number => (role === "ClusterRole cluster-admin" ? 0 : 1);

const OTHERS =
  / \(content [0-9a-f]{12}\): |: (reads Secret|copies|receives requests to Service|has a token of|runs as)|: [^ ]+\/(role-arn|gcp-service-account|client-id) /;
const HARMLESS_HOST = /\(Pod Security\)$|^[^:]*: port \d+|: what every node sends|: the place of other pods|: setting /;

/** Lines of {@link Asks} that allow escalation. */
export const isWay = {
  others: (line: string): boolean => OTHERS.test(line),
  host: (line: string): boolean => !HARMLESS_HOST.test(line),
  webhooks: (): boolean => true,
} satisfies Partial<Record<keyof Asks, (line: string) => boolean>>;
