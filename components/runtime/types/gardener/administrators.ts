import { shortHash } from "../../../../foundation/text/legalName";
import type { Manifest } from "../../templates/render";

/** Labels by which the original Runtime Provisioner knows its bindings. */
const LABELS = { app: "kyma", "reconciler.kyma-project.io/managed-by": "reconciler" };

/** Makes each user a cluster-admin of the deployment's cluster. Pure. */
export const administratorBindings = (administrators: readonly string[]): Manifest[] =>
  [...new Set(administrators)].map((user) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: `administrator-${shortHash(user, 10)}`, labels: LABELS },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
  }));
