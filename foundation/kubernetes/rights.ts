/** Rights and roles of Kubernetes that matter to whoever grants them: to approvals of bundles, and to the policy pack. */

/** Rights with which a user can get other rights. */
export interface Way {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const READ = ["get", "list", "watch"];
const WRITE = ["create", "update", "patch"];

/** Ordered by severity. `stops`: what of it the policy pack rejects in a role. Default: all. */
export const WAYS: readonly (Way & { readonly stops?: Partial<Way> | "nothing" })[] = [
  // The policy pack has a rule of its own for wildcards.
  { groups: ["*"], resources: ["*"], verbs: [...READ, ...WRITE, "*"], stops: "nothing" },
  { groups: [""], resources: ["secrets"], verbs: [...READ, ...WRITE], stops: { verbs: READ } },
  {
    groups: ["rbac.authorization.k8s.io"],
    resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
    verbs: [...WRITE, "bind", "escalate", "delete", "deletecollection"],
    // The API server lets nobody grant more than they have, unless they have these verbs.
    stops: { verbs: ["bind", "escalate"] },
  },
  {
    groups: ["admissionregistration.k8s.io", "apiregistration.k8s.io", "apiextensions.k8s.io"],
    resources: ["*"],
    verbs: [...WRITE, "delete", "deletecollection"],
    stops: { groups: ["admissionregistration.k8s.io", "apiregistration.k8s.io"] },
  },
  {
    groups: ["", "authentication.k8s.io"],
    resources: ["users", "groups", "uids", "serviceaccounts", "userextras"],
    verbs: ["impersonate"],
  },
  { groups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
  {
    groups: [""],
    resources: ["pods/exec", "pods/attach", "pods/portforward", "pods/proxy", "pods/ephemeralcontainers"],
    verbs: [...READ, ...WRITE],
  },
  { groups: [""], resources: ["nodes/proxy"], verbs: [...WRITE, "get"] },
  {
    groups: [""],
    resources: ["nodes", "persistentvolumes"],
    verbs: WRITE,
    stops: { resources: ["persistentvolumes"] },
  },
  {
    groups: ["certificates.k8s.io"],
    resources: ["*"],
    verbs: ["approve", "sign", ...WRITE],
    stops: { resources: ["certificatesigningrequests/approval", "certificatesigningrequests/status", "signers"] },
  },
];

/** Roles that Kubernetes itself gives everybody, or that only show keys which are public. */
export const PUBLIC_ROLES: readonly string[] = [
  "system:basic-user",
  "system:discovery",
  "system:public-info-viewer",
  "system:service-account-issuer-discovery",
];

/** All pods. */
export const ALL_ACCOUNTS = "system:serviceaccounts";
