/** What a bundle asks for: the rights that its installation grants. Pure. */

import { describe, listAt, type KubeObject } from "../../kubernetes/objects/objects";
import { selects } from "../../kubernetes/objects/selector";
import { byCode } from "../tree/tree";
import { compact } from "./rbac/compact";
import { hostAccess, READ_ONLY } from "./host";
import { isDescriptive } from "./effects/labels";
import { usedOfOthers } from "./others";
import { kindTitle, withoutNamespace } from "./place";
import { referredRole, roleKey, rulesOfRole, subjectsOf, type RoleRef } from "./rbac/rbac";
import { isBinding, isRole } from "../../kubernetes/objects/rbac";
import { gives, rightsOf, type RbacRule } from "./rbac/rules";
import { webhooksIn } from "./webhooks";

/** Permissions that a subject gets. */
export interface Permission {
  /** `ServiceAccount shop/web`; `whoever is bound to ClusterRole web` for a role without a binding in the bundle. */
  readonly subject: string;
  /** Default: cluster-wide. */
  readonly namespace?: string;
  readonly rules: readonly RbacRule[];
  /** A role outside the bundle, with all its current and future rules: `ClusterRole edit`. */
  readonly role?: string;
}

export interface Asks {
  readonly permissions: readonly Permission[];
  /** `Namespace shop`, `Widget.example.com front`: cluster-scoped objects. */
  readonly clusterObjects: readonly string[];
  /** Webhooks that the API server calls before it stores or converts objects. */
  readonly webhooks: readonly string[];
  /** `Deployment shop/agent: path /var/run of the node`. */
  readonly host: readonly string[];
  /** `Deployment shop/web: reads Secret shop/database`, which is not in the bundle. */
  readonly others: readonly string[];
  /** `NetworkPolicy shop/deny: is removed, which lifts a restriction`. */
  readonly lifted: readonly string[];
}

export interface Around {
  /** Bindings of others that name accounts of the bundle's pods, reduced to these subjects. */
  readonly bindings: readonly KubeObject[];
  /** Services of others in the namespaces of the bundle's pods. */
  readonly services: readonly KubeObject[];
  /** NetworkPolicies of others in the namespaces of the bundle's pods and of its own policies. */
  readonly policies: readonly KubeObject[];
  /** Workloads of others where the bundle selects pods by labels, or has pods that a workload may take over. */
  readonly workloads: readonly KubeObject[];
  /** Claims that new StatefulSets of the bundle take over, as `namespace/name`, by `namespace/name` of the set. */
  readonly claims: ReadonlyMap<string, readonly string[]>;
  /** ClusterRoles that aggregate others by their labels. */
  readonly aggregates: readonly KubeObject[];
  /** By `apiVersion/Kind` of which nothing is known: with whose rights its objects are acted upon. */
  readonly controllers: ReadonlyMap<string, string>;
  /** `NetworkPolicy shop/deny: is removed, which lifts a restriction`. */
  readonly lifted: readonly string[];
}

/** Without a cluster. */
export const ALONE: Around = {
  ...{ bindings: [], services: [], policies: [], workloads: [], aggregates: [], lifted: [] },
  ...{ claims: new Map(), controllers: new Map() },
};

export const NOTHING: Asks = { permissions: [], clusterObjects: [], webhooks: [], host: [], others: [], lifted: [] };

export const asksNothing = ({ permissions, clusterObjects, webhooks, host, others, lifted }: Asks): boolean =>
  [permissions, clusterObjects, webhooks, host, others, lifted].every((list) => list.length === 0);

/**
 * `namespace`: namespace of objects without one. `cluster`: cluster-scoped objects; default: those of kinds that
 * Kubernetes and the bundle define. `around`: see lookAround().
 */
export function asks(
  objects: readonly KubeObject[],
  namespace: string,
  cluster: readonly KubeObject[] = withoutNamespace(objects),
  around: Around = ALONE,
): Asks {
  const inCluster = new Set(cluster);
  const placeOf = (object: KubeObject): string | undefined =>
    inCluster.has(object) ? undefined : (object.metadata.namespace ?? namespace);
  const titleOf = (object: KubeObject, kind = object.kind): string =>
    describe({ ...object, kind, namespace: placeOf(object), name: object.metadata.name });
  return {
    permissions: permissionsOf(objects, placeOf, around),
    clusterObjects: sorted(cluster.map(clusterTitle)),
    webhooks: sorted(objects.flatMap(webhooksIn)),
    host: sorted(objects.flatMap((object) => hostAccess(object).map((what) => `${titleOf(object)}: ${what}`))),
    others: sorted(usedOfOthers(objects, namespace, { namespaceOf: placeOf, titleOf, ...around })),
    lifted: sorted(around.lifted),
  };
}

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].sort(byCode);

const clusterTitle = (object: KubeObject): string => `${kindTitle(object)} ${object.metadata.name}`;

type Place = (object: KubeObject) => string | undefined;

function permissionsOf(objects: readonly KubeObject[], placeOf: Place, { bindings, aggregates }: Around): Permission[] {
  const refOf = (role: KubeObject): RoleRef => {
    const kind = role.kind === "Role" ? "Role" : "ClusterRole";
    const namespace = kind === "Role" ? placeOf(role) : undefined;
    return { kind, name: role.metadata.name, ...(namespace === undefined ? {} : { namespace }) };
  };
  const roles = new Map(objects.filter(isRole).map((role) => [roleKey(refOf(role)), role]));
  const bound = new Set<string>();
  const ofBindings = [...objects.filter(isBinding), ...bindings].flatMap((binding) => {
    const namespace = binding.kind === "RoleBinding" ? placeOf(binding) : undefined;
    const ref = referredRole(binding, namespace);
    const role = roles.get(roleKey(ref));
    bound.add(roleKey(ref));
    return subjectsOf(binding, namespace).map((subject) => permission(subject, namespace, ref, role));
  });
  const unbound = [...roles].flatMap(([key, role]) => {
    const ref = refOf(role);
    const into = aggregatedInto(role, aggregates);
    const subjects = bound.has(key) ? into : [`everybody bound to ${ref.kind} ${ref.name}`, ...into];
    return subjects.map((subject) => permission(subject, ref.namespace, ref, role));
  });
  return joined([...ofBindings, ...unbound]);
}

function permission(
  subject: string,
  namespace: string | undefined,
  ref: RoleRef,
  role: KubeObject | undefined,
): Permission {
  const place = namespace === undefined ? {} : { namespace };
  if (!role) return { subject, ...place, rules: [], role: describe({ apiVersion: "", ...ref }) };
  return { subject, ...place, rules: rulesOfRole(role) };
}

/**
 * Subjects of roles that may aggregate this role's rules: those of Kubernetes, those that exist, and any that may select
 * its labels.
 */
function aggregatedInto({ kind, metadata: { labels = {} } }: KubeObject, aggregates: readonly KubeObject[]): string[] {
  if (kind !== "ClusterRole") return [];
  const existing = aggregates
    .filter((role) => listAt(role, "aggregationRule", "clusterRoleSelectors").some((one) => selects(one, labels)))
    .map(({ metadata }) => `everybody bound to ClusterRole ${metadata.name}`);
  const possible = Object.entries(labels).flatMap(([key, value]) => {
    const [, name] = /^rbac\.authorization\.k8s\.io\/aggregate-to-(.+)$/.exec(key) ?? [];
    if (name !== undefined) return value === "true" ? [`everybody bound to ClusterRole ${name}`] : [];
    return isDescriptive(key) ? [] : [`everybody with a role that aggregates those labelled ${key}=${value}`];
  });
  return [...new Set([...existing, ...possible])];
}

const keyOf = ({ subject, namespace, role }: Permission): string =>
  JSON.stringify([subject, namespace ?? "", role ?? ""]);

/** Merges permissions to one entry per subject and place, with as few rules as possible. */
function joined(permissions: readonly Permission[]): Permission[] {
  const found = new Map<string, Permission>();
  for (const one of permissions) {
    const before = found.get(keyOf(one));
    found.set(keyOf(one), before ? { ...before, rules: [...before.rules, ...one.rules] } : one);
  }
  return [...found]
    .sort(([a], [b]) => byCode(a, b))
    .map(([, one]) => ({ ...one, rules: compact(rightsOf(one.rules, one.namespace)) }))
    .filter(({ rules, role }) => rules.length > 0 || role !== undefined);
}

/** Returns what is asked for beyond the approval; see {@link asksNothing}. */
export function more(approved: Asks, asked: Asks): Asks {
  const beyond = (list: (one: Asks) => readonly string[]): string[] => {
    const known = new Set(list(approved));
    return list(asked).filter((text) => !known.has(text) && !known.has(text.replace(READ_ONLY, "")));
  };
  return {
    permissions: asked.permissions.flatMap((one) => beyondPermissions(approved.permissions, one)),
    clusterObjects: beyond(({ clusterObjects }) => clusterObjects),
    webhooks: beyond(({ webhooks }) => webhooks),
    host: beyond(({ host }) => host),
    others: beyond(({ others }) => others),
    lifted: beyond(({ lifted }) => lifted),
  };
}

function beyondPermissions(approved: readonly Permission[], asked: Permission): Permission[] {
  // An approval for the whole cluster covers each namespace.
  const before = approved.filter(
    ({ subject, namespace }) => subject === asked.subject && (namespace === undefined || namespace === asked.namespace),
  );
  if (asked.role !== undefined) return before.some(({ role }) => role === asked.role) ? [] : [asked];
  const rules = before.flatMap((one) => one.rules);
  const rest = rightsOf(asked.rules, asked.namespace).filter((right) => !rules.some((rule) => gives(rule, right)));
  return rest.length === 0 ? [] : [{ ...asked, rules: compact(rest) }];
}
