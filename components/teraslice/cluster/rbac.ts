import type { TerasliceSettings } from "../settings";
import { clusterNames, jobAccount } from "./names";

const RBAC = "rbac.authorization.k8s.io";

/** What a master's code asks Kubernetes for. It polls, so nothing is watched, and it reads by label, so nothing is read by name. */
const LEAST = [
  // The Service of an execution controller; pods are looked at, waited for and, by force, deleted.
  { apiGroups: [""], resources: ["services"], verbs: ["list", "create", "delete"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["list", "delete"] },
  // Workers, whose number is patched. What is left of them is deleted by force, from below.
  { apiGroups: ["apps"], resources: ["deployments"], verbs: ["list", "create", "patch", "delete"] },
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["list", "delete"] },
  // The execution controller, with which all else goes.
  { apiGroups: ["batch"], resources: ["jobs"], verbs: ["list", "create", "delete"] },
];
/** For masters whose manager is `kubernetes`: they have another client, which reads and replaces by name as well. */
const VERBS = ["get", "list", "create", "update", "patch", "delete"];
const OLDER = [
  { apiGroups: [""], resources: ["pods", "services"], verbs: VERBS },
  { apiGroups: ["apps"], resources: ["deployments", "replicasets"], verbs: VERBS },
  { apiGroups: ["batch"], resources: ["jobs"], verbs: VERBS },
];
const EVERYTHING = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** The account that the master runs as. */
export const masterAccount = (settings: TerasliceSettings): string =>
  settings.rbac === "original" ? "default" : clusterNames(settings).master;

/** What there is to say about the rights in every preview; undefined when they are what the master needs. */
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
    // The token by which a role of the cloud is taken is another one.
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
