/** Describes what a bundle asks for, most severe first. */

import { printable } from "../errors";
import type { Asks, Permission } from "./asks";
import { isWay, leadsByRole, sortRules, wayOfRole } from "./escalation";
import type { RbacRule } from "./rbac/rules";

/** Returns lines under headings; empty if it asks for nothing. */
export function asksText({ permissions, clusterObjects, webhooks, host, others, lifted }: Asks): string[] {
  const sorted = permissions.map((one) => ({ one, ...sortRules(one) }));
  const leading = sorted.flatMap(({ one, leads, way }) => [
    ...(leadsByRole(one) ? [roleBlock(one, wayOfRole(one))] : []),
    ...rulesBlock(one, leads, way),
  ]);
  const given = sorted.flatMap(({ one, rest }) => [
    ...rulesBlock(one, rest, 0),
    ...(one.role === undefined || leadsByRole(one) ? [] : [roleBlock(one, 0)]),
  ]);
  const not = (is: (line: string) => boolean) => (line: string) => !is(line);
  return [
    ...section("Gives access to objects of other owners, or to the whole cluster", [
      ...together(others.filter(isWay.others)),
      ...blocksText(leading),
      ...webhooks,
      ...together(host.filter(isWay.host)),
    ]),
    ...section("Takes restrictions away", together(lifted)),
    ...section("Permissions that it grants", blocksText(given)),
    ...section("Access to nodes", together(host.filter(not(isWay.host)))),
    ...section("Objects of other owners that it uses", together(others.filter(not(isWay.others)))),
    ...section("Cluster-scoped objects", byKind(clusterObjects)),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${printable(line).replaceAll("\n", " ")}`)];

/** The permissions of a subject in one place. */
interface Block {
  readonly subject: string;
  /** Text after the subject. */
  readonly where: string;
  readonly rules: readonly string[];
  /** Severity, most severe first. */
  readonly way: number;
}

const placeText = ({ namespace }: Permission): string =>
  namespace === undefined ? "in the whole cluster" : `in namespace ${namespace}`;

const roleBlock = (one: Permission, way: number): Block => ({
  subject: one.subject,
  where: `${placeText(one)}: everything that ${one.role ?? ""} allows`,
  rules: [],
  way,
});

function rulesBlock(one: Permission, rules: readonly RbacRule[], way: number): Block[] {
  if (rules.length === 0) return [];
  const relevant = rules.some(isEverything)
    ? rules.filter(({ nonResourceURLs }) => nonResourceURLs === undefined)
    : rules;
  return [{ subject: one.subject, where: `${placeText(one)}:`, rules: relevant.map(ruleText), way }];
}

/** Full access to all objects makes URLs irrelevant. */
const isEverything = ({ verbs, apiGroups = [], resources = [] }: RbacRule): boolean =>
  [verbs, apiGroups, resources].every((list) => list.includes("*"));

/** Subjects with the same permissions in the same place are reported together. */
function blocksText(blocks: readonly Block[]): string[] {
  const groups = new Map<string, Block & { readonly subjects: string[] }>();
  for (const one of [...blocks].sort((a, b) => a.way - b.way)) {
    const key = JSON.stringify([one.where, one.rules]);
    const group = groups.get(key);
    if (group) group.subjects.push(one.subject);
    else groups.set(key, { ...one, subjects: [one.subject] });
  }
  return [...groups.values()].flatMap(({ subjects, where, rules }) => [
    `${subjects.join(", ")}, ${where}`,
    ...rules.map((rule) => `  ${rule}`),
  ]);
}

/** Number of subjects from which they share one line. */
const MANY = 3;

/** `Deployment shop/a: reads Secret shop/x`, or `reads Secret shop/x: Deployment shop/a, …` where many do. */
function together(lines: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    const at = line.indexOf(": ");
    const [what, who] = at < 0 ? [line, ""] : [line.slice(at + 2), line.slice(0, at)];
    groups.set(what, [...(groups.get(what) ?? []), who]);
  }
  return [...groups].flatMap(([what, who]) =>
    who.length >= MANY ? [`${what}: ${who.join(", ")}`] : who.map((one) => (one === "" ? what : `${one}: ${what}`)),
  );
}

/** `ClusterRole root`, or `ClusterRole (12): a, b, …` for many of a kind. */
function byKind(titles: readonly string[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const title of titles) {
    const [kind = "", ...name] = title.split(" ");
    kinds.set(kind, [...(kinds.get(kind) ?? []), name.join(" ")]);
  }
  return [...kinds].flatMap(([kind, names]) =>
    names.length >= MANY ? [`${kind} (${names.length}): ${names.join(", ")}`] : names.map((name) => `${kind} ${name}`),
  );
}

/** `get, list secrets`, `do anything with deployments of apps`. */
export function ruleText({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs,
}: RbacRule): string {
  const does = verbs.includes("*") ? "do anything with" : verbs.join(", ");
  if (nonResourceURLs !== undefined) {
    return `${does} ${nonResourceURLs.includes("*") ? "all other URLs of the API server" : `URLs ${nonResourceURLs.join(", ")}`}`;
  }
  const anyGroup = apiGroups.includes("*");
  const what = resources.includes("*") ? (anyGroup ? "everything" : "all kinds") : resources.join(", ");
  const groups = apiGroups.filter((group) => group !== "");
  const of = anyGroup
    ? resources.includes("*")
      ? ""
      : " of any group"
    : groups.length > 0
      ? ` of ${groups.join(", ")}`
      : "";
  const core = !anyGroup && groups.length > 0 && apiGroups.includes("") ? " and the core" : "";
  return `${does} ${what}${of}${core}${resourceNames.length > 0 ? ` named ${resourceNames.join(", ")}` : ""}`;
}
