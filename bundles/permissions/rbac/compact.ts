/** Converts permissions to as few rules as possible that grant exactly these. */

import { byCode } from "../../tree/tree";
import { isResourceRight, isUrlRight, type ResourceRight, type Right, type RbacRule, type UrlRight } from "./rules";

/** Verbs in the customary order, then by name. */
const VERBS = ["*", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

interface Entry {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Empty: all names. */
  readonly names: readonly string[];
}

/** All permissions must have the same scope: one namespace, or the whole cluster. */
export function compact(rights: readonly Right[]): RbacRule[] {
  const entries = merged(
    merged(entriesOf(rights.filter(isResourceRight)), "resources", ["groups", "verbs", "names"]),
    "groups",
    ["resources", "verbs", "names"],
  );
  const rules = entries.sort(compareEntries).map(({ groups, resources, verbs, names }): RbacRule => ({
    apiGroups: groups,
    resources,
    ...(names.length > 0 ? { resourceNames: names } : {}),
    verbs,
  }));
  return [...rules, ...urlRules(rights.filter(isUrlRight))];
}

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort(byCode);
const place = (verb: string): number => (VERBS.includes(verb) ? VERBS.indexOf(verb) : VERBS.length);
const sortedVerbs = (values: Iterable<string>): string[] =>
  [...new Set(values)].sort((a, b) => place(a) - place(b) || byCode(a, b));

/** Verbs per resource with the same names. */
function entriesOf(rights: readonly ResourceRight[]): Entry[] {
  const names = new Map<string, { right: ResourceRight; all: boolean; names: Set<string> }>();
  for (const right of rights) {
    const key = JSON.stringify([right.group, right.resource, right.verb]);
    const found = names.get(key) ?? { right, all: false, names: new Set<string>() };
    names.set(key, found);
    if (right.name === undefined) found.all = true;
    else found.names.add(right.name);
  }
  const single = [...names.values()].map(({ right, all, names: some }) => ({
    groups: [right.group],
    resources: [right.resource],
    verbs: [right.verb],
    names: all ? [] : sorted(some),
  }));
  return merged(single, "verbs", ["groups", "resources", "names"]).map((entry) => ({
    ...entry,
    verbs: sortedVerbs(entry.verbs),
  }));
}

/** Merges entries that differ in only one field. */
function merged(entries: readonly Entry[], field: keyof Entry, same: readonly (keyof Entry)[]): Entry[] {
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify(same.map((name) => entry[name]));
    const other = found.get(key);
    found.set(key, other ? { ...other, [field]: sorted([...other[field], ...entry[field]]) } : entry);
  }
  return [...found.values()];
}

const compareEntries = (a: Entry, b: Entry): number => byCode(JSON.stringify(a), JSON.stringify(b));

function urlRules(rights: readonly UrlRight[]): RbacRule[] {
  const verbs = new Map<string, Set<string>>();
  for (const { verb, url } of rights) verbs.set(url, (verbs.get(url) ?? new Set()).add(verb));
  const urls = new Map<string, string[]>();
  for (const [url, some] of verbs) {
    const key = JSON.stringify(sortedVerbs(some));
    urls.set(key, [...(urls.get(key) ?? []), url]);
  }
  return [...urls]
    .sort(([a], [b]) => byCode(a, b))
    .map(([key, some]) => ({ nonResourceURLs: sorted(some), verbs: JSON.parse(key) as string[] }));
}
