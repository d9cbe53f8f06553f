/** With whose rights objects are acted upon of whose kind nothing is known. */

import type { Client } from "../../kubernetes/client/client";
import { UnknownKindError } from "../../kubernetes/client/discovery";
import { forAll } from "../../kubernetes/client/pool";
import { groupOf, type KubeObject } from "../../kubernetes/objects/objects";
import { sortRules } from "./escalation";
import { grantsIn, type Grant } from "./rbac/grants";
import { gives, type RbacRule } from "./rbac/rules";
import { ruleText } from "./text";

/**
 * By `apiVersion/Kind`: `acts with the rights of ServiceAccount ops/widgets, …`. A controller is an account that may
 * write the status or the finalizers of the kind, by a rule that names its group: of a rule for all groups, and of
 * rights on the objects themselves, people have more than controllers.
 */
export async function controllersOf(client: Client, objects: readonly KubeObject[]): Promise<Map<string, string>> {
  const kinds = new Map(objects.map((object) => [`${object.apiVersion}/${object.kind}`, object]));
  if (kinds.size === 0) return new Map();
  const grants = await grantsIn(client);
  const found = await forAll([...kinds], async ([key, { apiVersion, kind }]) => {
    const plural = await pluralOf(client, apiVersion, kind);
    const group = groupOf(apiVersion);
    const runs = (rule: RbacRule): boolean =>
      rule.apiGroups?.includes(group) === true &&
      ["status", "finalizers"].some((part) =>
        ["update", "patch"].some((verb) => gives(rule, { verb, group, resource: `${plural}/${part}` })),
      );
    const subjects = grants.flatMap(({ subject, rules }) =>
      subject.startsWith("ServiceAccount ") && rules.some(runs) ? [subject] : [],
    );
    return [key, [...new Set(subjects)].sort().map((subject) => rightsText(subject, grants))] as const;
  });
  return new Map(found.flatMap(([key, texts]) => (texts.length === 0 ? [] : [[key, texts.join(", and ")]])));
}

async function pluralOf(client: Client, apiVersion: string, kind: string): Promise<string> {
  try {
    return (await client.discovery.resource(apiVersion, kind)).plural;
  } catch (error) {
    if (error instanceof UnknownKindError) return "";
    throw error;
  }
}

function rightsText(subject: string, grants: readonly Grant[]): string {
  const leads = grants
    .filter((grant) => grant.subject === subject)
    .flatMap((grant) =>
      sortRules(grant).leads.map(
        (rule) => `${ruleText(rule)}${grant.namespace === undefined ? "" : ` in namespace ${grant.namespace}`}`,
      ),
    );
  const may = leads.length === 0 ? "" : `, which may ${[...new Set(leads)].join("; ")}`;
  return `acts with the rights of ${subject}${may}`;
}
