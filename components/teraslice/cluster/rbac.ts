import type { TerasliceSettings } from "../settings";
import { clusterNames } from "./names";

const RBAC = "rbac.authorization.k8s.io";

/** What a master does; it polls, so it needs no `watch`. */
const VERBS = ["get", "list", "create", "update", "patch", "delete"];
const LEAST = [
  { apiGroups: [""], resources: ["pods", "services", "configmaps"], verbs: VERBS },
  { apiGroups: ["apps"], resources: ["deployments", "replicasets"], verbs: VERBS },
  { apiGroups: ["batch"], resources: ["jobs"], verbs: VERBS },
];
const EVERYTHING = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** The account that the master runs as. */
export const masterAccount = (settings: TerasliceSettings): string =>
  settings.rbac === "original" ? "default" : clusterNames(settings).master;

/** What there is to say about the rights in every preview; undefined when they are what the master needs. */
export function rbacWarning({ rbac, teraslice }: TerasliceSettings): string | undefined {
  if (rbac !== "original") return undefined;
  const namespace = teraslice.kubernetes_namespace;
  return (
    `stackyard:teraslice.rbac is original, which is broad: every pod in the namespace ${namespace} that runs as its ` +
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
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: master, namespace } };
  return [
    ...(original ? [] : [account]),
    {
      apiVersion: `${RBAC}/v1`,
      kind: "Role",
      metadata: { name: role, namespace },
      rules: original ? EVERYTHING : LEAST,
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
