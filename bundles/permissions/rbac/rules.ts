/** RBAC rules, and the single permissions that they consist of. */

import { isList, listAt } from "../../../kubernetes/objects/objects";
import { Refused } from "../../errors";
import type { Json } from "../../../foundation/json/isObject";

/** A rule of a Role. A permission for `*` is only covered by `*`. */
export interface RbacRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** Default: all names. */
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** One verb on one resource. */
export interface ResourceRight {
  readonly verb: string;
  readonly group: string;
  /** As in a URL, with its subresource: `pods/log`. */
  readonly resource: string;
  /** Default: any name. */
  readonly name?: string;
  /** Default: cluster-wide, or for cluster-scoped resources. */
  readonly namespace?: string;
}

/** One verb on a non-resource URL. */
export interface UrlRight {
  readonly verb: string;
  readonly url: string;
}

export type Right = ResourceRight | UrlRight;

export const isUrlRight = (right: Right): right is UrlRight => "url" in right;
export const isResourceRight = (right: Right): right is ResourceRight => !isUrlRight(right);
export const namespaceOf = (right: Right): string | undefined => (isUrlRight(right) ? undefined : right.namespace);

export const rightKey = (right: Right): string =>
  JSON.stringify(
    isUrlRight(right)
      ? [right.verb, right.url]
      : [right.verb, right.group, right.resource, right.name ?? null, right.namespace ?? null],
  );

/** Removes duplicates. */
export const unique = (rights: readonly Right[]): Right[] => [
  ...new Map(rights.map((right) => [rightKey(right), right])).values(),
];

/** All verbs on everything. */
export const EVERYTHING: readonly RbacRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Reads the `rules` of a Role, a ClusterRole or a review. */
export function rulesIn(object: Json, key = "rules"): RbacRule[] {
  return listAt(object, key).map((rule) => {
    const names = texts(rule["resourceNames"]);
    return {
      verbs: texts(rule["verbs"]),
      ...(isList(rule["nonResourceURLs"]) ? { nonResourceURLs: texts(rule["nonResourceURLs"]) } : {}),
      ...(isList(rule["resources"])
        ? { apiGroups: texts(rule["apiGroups"]), resources: texts(rule["resources"]) }
        : {}),
      ...(names.length > 0 ? { resourceNames: names } : {}),
    };
  });
}

const texts = (value: unknown): string[] => (isList(value) ? value.filter((one) => typeof one === "string") : []);

/** Whether a rule covers a permission; both must have the same scope. */
export function gives(rule: RbacRule, right: Right): boolean {
  if (!hasAny(rule.verbs, right.verb)) return false;
  if (isUrlRight(right)) return (rule.nonResourceURLs ?? []).some((url) => urlCovers(url, right.url));
  if (!hasAny(rule.apiGroups ?? [], right.group)) return false;
  if (!(rule.resources ?? []).some((resource) => resourceCovers(resource, right.resource))) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || (right.name !== undefined && names.includes(right.name));
}

const hasAny = (values: readonly string[], wanted: string): boolean => values.includes("*") || values.includes(wanted);

function resourceCovers(resource: string, wanted: string): boolean {
  if (resource === "*" || resource === wanted) return true;
  const [, subresource] = /^\*(\/.+)$/.exec(resource) ?? [];
  return subresource !== undefined && wanted.endsWith(subresource) && wanted.includes("/");
}

const urlCovers = (url: string, wanted: string): boolean =>
  url === wanted || (url.endsWith("*") && wanted.startsWith(url.slice(0, -1)));

/** Far more than any real rule has; larger ones are hostile. */
const MOST_RIGHTS = 200_000;

/** Returns the single permissions of rules, in a namespace or cluster-wide. */
export function rightsOf(rules: readonly RbacRule[], namespace: string | undefined): Right[] {
  const size = rules.reduce(
    (sum, { verbs, apiGroups = [], resources = [], resourceNames = [] }) =>
      sum + verbs.length * apiGroups.length * resources.length * Math.max(1, resourceNames.length),
    0,
  );
  if (size > MOST_RIGHTS) throw new Refused(`found rules that give ${size} rights; expected ${MOST_RIGHTS} at most`);
  const found = rules.flatMap(({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) =>
    verbs.flatMap((verb): Right[] => {
      const names = resourceNames.length === 0 ? [undefined] : resourceNames;
      const onResources = apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          names.map((name) => ({
            verb,
            group,
            resource,
            ...(name === undefined ? {} : { name }),
            ...(namespace === undefined ? {} : { namespace }),
          })),
        ),
      );
      // A RoleBinding does not grant these, but the API server still requires them from the user who creates it.
      return [...onResources, ...nonResourceURLs.map((url) => ({ verb, url }))];
    }),
  );
  return unique(found);
}
