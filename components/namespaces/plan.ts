import { POD_SECURITY_LEVELS, type NamespaceConfig, type NamespaceKind, type NamespaceUser } from "./settings";

/** Name of what is made in a namespace besides it. */
const NAME = "stackyard";
/** Marks namespaces whose pods belong to many deployments, which must not reach each other or the platform. */
export const RUNTIMES_LABEL = "stackyard.dev/runtimes";
const STRICTEST = POD_SECURITY_LEVELS[0];

/**
 * Kinds that get a policy unasked. JupyterHub's chart and Teraslice include their own, and those of a bundle may be
 * stricter: policies add up, so that one more of ours would open what they close.
 */
const WITH_POLICY: readonly NamespaceKind[] = ["runtimes", "ray"];

type KubernetesObject = Record<string, unknown>;

/** A namespace with what protects it, in the order of application. What one user's config says counts for all. */
export function namespaceObjects(name: string, users: readonly NamespaceUser[]): KubernetesObject[] {
  const config = users.reduce<NamespaceConfig>((all, user) => ({ ...all, ...user.config }), {});
  const holds = (kind: NamespaceKind): boolean => users.some((user) => user.kind === kind);
  const level = config.podSecurity ?? weakest(users);
  // What nobody can pass is not worth a warning at every pod.
  const enforced = level === "privileged" ? level : STRICTEST;
  const labels = {
    "pod-security.kubernetes.io/enforce": level,
    "pod-security.kubernetes.io/warn": enforced,
    "pod-security.kubernetes.io/audit": enforced,
    ...(holds("runtimes") && { [RUNTIMES_LABEL]: "true" }),
  };
  const metadata = { name: NAME, namespace: name };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } },
    ...(hasPolicy(users, config) ? [networkPolicy(name, config, holds("runtimes"))] : []),
    ...(config.quota ? [{ apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard: config.quota } }] : []),
    ...(config.limits
      ? [
          {
            apiVersion: "v1",
            kind: "LimitRange",
            metadata,
            spec: { limits: [{ type: "Container", ...config.limits }] },
          },
        ]
      : []),
  ];
}

function weakest(users: readonly NamespaceUser[]) {
  const ranks = users.map(({ passes }) => POD_SECURITY_LEVELS.indexOf(passes));
  return POD_SECURITY_LEVELS[Math.max(0, ...ranks)] ?? STRICTEST;
}

const hasPolicy = (users: readonly NamespaceUser[], { networkPolicy: given }: NamespaceConfig): boolean =>
  given === undefined ? users.every(({ kind }) => WITH_POLICY.includes(kind)) : given.enabled;

/**
 * Pods of runtimes are reached from other namespaces, where ingress controllers are, and by no other runtime, of their
 * own namespace or another one. Pods of other namespaces reach each other too. Where they go is open, but for the cloud's
 * metadata address: it hands the role of the node to anyone who asks. Probes and port-forwards come from the node, which
 * policies let in.
 */
function networkPolicy(namespace: string, config: NamespaceConfig, runtimes: boolean): KubernetesObject {
  const { clientNamespaces = [], clientCidrs = [], cloudMetadata = false } = config.networkPolicy ?? {};
  const clients =
    clientNamespaces.length > 0
      ? clientNamespaces.map((name) => ({ matchLabels: { "kubernetes.io/metadata.name": name } }))
      : [{ matchExpressions: [{ key: RUNTIMES_LABEL, operator: "DoesNotExist" }] }];
  const from = [
    ...(runtimes ? [] : [{ podSelector: {} }]),
    ...clients.map((namespaceSelector) => ({ namespaceSelector })),
    ...clientCidrs.map((cidr) => ({ ipBlock: { cidr } })),
  ];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: NAME, namespace },
    spec: {
      podSelector: {},
      policyTypes: cloudMetadata ? ["Ingress"] : ["Ingress", "Egress"],
      ingress: [{ from }],
      ...(!cloudMetadata && { egress: [{ to: ANYWHERE_BUT_METADATA }] }),
    },
  };
}

/** Pods are named by themselves: not every network plugin takes them for addresses. */
const ANYWHERE_BUT_METADATA = [
  { namespaceSelector: {} },
  { ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.169.254/32"] } },
  { ipBlock: { cidr: "::/0", except: ["fd00:ec2::254/128"] } },
];
