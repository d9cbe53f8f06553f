/** Converts missing permissions to the objects that grant exactly these. */

import { dump } from "js-yaml";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { byCode } from "../../tree/tree";
import { compact } from "./compact";
import { RBAC } from "../../../kubernetes/objects/rbac";
import { namespaceOf, type Right } from "./rules";

/** A role with a binding per namespace, and one for the whole cluster. */
export function rolesFor(rights: readonly Right[], user: string, name: string): KubeObject[] {
  const scopes = [...new Set(rights.map((right) => namespaceOf(right) ?? ""))].sort(byCode);
  return scopes.flatMap((scope) => {
    const namespace = scope === "" ? undefined : scope;
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    const rules = compact(rights.filter((right) => namespaceOf(right) === namespace));
    return [
      { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
      {
        apiVersion: `${RBAC}/v1`,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: RBAC, kind, name },
        subjects: [subjectOf(user)],
      },
    ];
  });
}

/** Formats the objects for `kubectl apply -f`. */
export const asYaml = (objects: readonly KubeObject[]): string =>
  objects.map((object) => dump(object, { noRefs: true, lineWidth: 140 })).join("---\n");

function subjectOf(user: string): Record<string, string> {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  if (namespace !== undefined && name !== undefined) return { kind: "ServiceAccount", namespace, name };
  return { kind: "User", apiGroup: RBAC, name: user };
}
