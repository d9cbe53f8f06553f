import { shortHash } from "../../../../foundation/text/legalName";
import type { GardenerProvisioner } from "../../platform/platform";
import type { Manifest } from "../../templates/render";

/** Who has which rights in a deployment's cluster. Pure. */

/** Labels by which the original Runtime Provisioner knows its bindings. */
const LABELS = { app: "kyma", "reconciler.kyma-project.io/managed-by": "reconciler" };

/** Makes each user a cluster-admin. */
export const administratorBindings = (administrators: readonly string[]): Manifest[] =>
  [...new Set(administrators)].map((name) => binding("administrator", "cluster-admin", { kind: "User", name }));

/** Gives groups of operators their rights. The original's names could be taken in a cluster that it created. */
export const operatorBindings = ({
  view,
  admin,
}: NonNullable<GardenerProvisioner["operatorGroups"]> = {}): Manifest[] => [
  ...(view === undefined ? [] : [binding("operator-view", "view", { kind: "Group", name: view })]),
  ...(admin === undefined ? [] : [binding("operator-admin", "cluster-admin", { kind: "Group", name: admin })]),
];

/** The role of a binding can't change, so its name has all else that does. */
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
