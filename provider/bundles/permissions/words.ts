/** What a bundle asks for, in the words of a person. */

import { plain } from "../errors";
import type { Asks, Permission } from "./asks";
import type { Rule } from "./rules";

/** Lines under headings; none when it asks for nothing. */
export function asksText({ permissions, clusterObjects, webhooks, host, others }: Asks): string[] {
  return [
    ...section("Permissions that it gives", permissions.flatMap(permissionText)),
    ...section("Access to nodes", host),
    ...section("What it uses of others", others),
    ...section("Webhooks and policies", webhooks),
    ...section("Objects of the whole cluster", clusterObjects),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${plain(line)}`)];

function permissionText({ subject, namespace, rules, role }: Permission): string[] {
  const where = namespace === undefined ? "in the whole cluster" : `in namespace ${namespace}`;
  if (role !== undefined) return [`${subject}, ${where}: everything that ${role} allows`];
  return [`${subject}, ${where}:`, ...rules.map((rule) => `  ${ruleText(rule)}`)];
}

/** `get, list secrets`, `do anything with deployments of apps`. */
export function ruleText({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs }: Rule): string {
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
