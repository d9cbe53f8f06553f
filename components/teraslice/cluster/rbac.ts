import type { TerasliceSettings } from "../settings";
import { clusterNames, jobAccount } from "../podConfig/names";

const RBAC = "rbac.authorization.k8s.io";

/** Permissions that the master's code needs. It polls instead of watching, and selects by label instead of by name. */
const LEAST = [
  // Lists and waits for pods; deletes them when forced. The Service belongs to an execution controller.
  { apiGroups: [""], resources: ["services"], verbs: ["list", "create", "delete"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["list", "delete"] },
  // Deployments of workers, whose number is patched. A forced stop also deletes their ReplicaSets.
  { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list", "create", "patch", "delete"] },
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list", "delete"] },
  // The Job of an execution controller, which owns the other objects.
  { apiGroups: ["batch"], resources: ["jobs"], verbs: ["list", "create", "delete"] },
];
/** For masters whose manager is `kubernetes`: their client also reads and replaces objects by name. */
const VERBS = ["get", "list", "create", "update", "patch", "delete"];
const OLDER = [
  { apiGroups: [""], resources: ["pods", "services"], verbs: VERBS },
  { apiGroups: ["apps"], resources: ["deployments", "replicasets"], verbs: VERBS },
  { apiGroups: ["batch"], resources: ["jobs"], verbs: VERBS },
];
const EVERYTHING = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** The service account of the master. */
export const masterAccount = (settings: TerasliceSettings): string =>
  settings.rbac === "original" ? "default" : clusterNames(settings).master;

/** Warning about excessive permissions for every preview; undefined if they are minimal. */
export function rbacWarning({ rbac, source, teraslice }: TerasliceSettings): string | undefined {
  if (rbac !== "original") return undefined;
  const namespace = teraslice.kubernetes_namespace;
  return (
    `${source}.rbac is original, which is broad: every pod in the namespace ${namespace} that runs as its ` +
    `account default, those of jobs included, may do everything there, reading Secrets included. Masters of today ` +
    `need no more than rbac: least`
  );
}

export function rbacObjects(settings: TerasliceSettings): object[] {
  const { namespace, master } = clusterNames(settings);
  const { rbac, teraslice } = settings;
  const original = rbac === "original";
  const role = original ? `teraslice-all-${namespace}` : `teraslice-master-role-${teraslice.name}`;
  const binding = original ? role : `teraslice-master-${teraslice.name}`;
  const account = (name: string, annotations: object, more = {}) => ({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, namespace, ...(Object.keys(annotations).length > 0 && { annotations }) },
    ...more,
  });
  const ofJobs = jobAccount(settings);
  return [
    ...(original ? [] : [account(master, settings.master.serviceAccount.annotations)]),
    // IRSA and Pod Identity use another token.
    ...(ofJobs === undefined
      ? []
      : [account(ofJobs, settings.worker.serviceAccount?.annotations ?? {}, { automountServiceAccountToken: false })]),
    {
      apiVersion: `${RBAC}/v1`,
      kind: "Role",
      metadata: { name: role, namespace },
      rules: original ? EVERYTHING : teraslice.cluster_manager_type === "kubernetes" ? OLDER : LEAST,
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: "RoleBinding",
      metadata: { name: binding, namespace },
      subjects: [{ kind: "ServiceAccount", name: masterAccount(settings), namespace }],
      roleRef: { apiGroup: RBAC, kind: "Role", name: role },
    },
  ];
}
