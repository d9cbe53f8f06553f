import { shortHash } from "../../../../foundation/text/legalName";
import type { GardenerProvisioner } from "./spec";
import type { Manifest } from "../../templates/render";

/** Creates the role bindings in a deployment's cluster. Pure. */

/** Labels by which the original Runtime Provisioner finds its bindings. */
const LABELS = { app: "kyma", "reconciler.kyma-project.io/managed-by": "reconciler" };

/** Binds each user to cluster-admin. */
export const administratorBindings = (administrators: readonly string[]): Manifest[] =>
  [...new Set(administrators)].map((name) => binding("administrator", "cluster-admin", { kind: "User", name }));

/**
 * Binds the operator groups to their roles. Does not use the original's names, which may exist in a cluster that it
 * created.
 */
export const operatorBindings = ({
  view,
  admin,
}: NonNullable<GardenerProvisioner["operatorGroups"]> = {}): Manifest[] => [
  ...(view === undefined ? [] : [binding("operator-view", "view", { kind: "Group", name: view })]),
  ...(admin === undefined ? [] : [binding("operator-admin", "cluster-admin", { kind: "Group", name: admin })]),
];

/** The name depends on role and subject, because the role of a binding is immutable. */
function binding(prefix: string, role: string, subject: { readonly kind: string; readonly name: string }): Manifest {
  const apiGroup = "rbac.authorization.k8s.io";
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: `${prefix}-${shortHash(subject.name, 10)}`, labels: LABELS },
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
    subjects: [{ apiGroup, ...subject }],
  };
}
