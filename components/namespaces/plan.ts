import { POD_SECURITY_LEVELS, type NamespaceConfig, type NamespaceKind, type NamespaceUser } from "./settings";

/** Name of the objects that are created in a namespace. */
const NAME = "stackyard";
/** Marks namespaces with runtimes of many deployments, which must not reach each other or the platform. */
const RUNTIMES_LABEL = "stackyard.dev/runtimes";
const STRICTEST = POD_SECURITY_LEVELS[0];

/**
 * Kinds that get a policy by default. JupyterHub's chart and Teraslice include their own. A bundle's may be stricter,
 * and policies are additive, so another one would open what they close.
 */
const WITH_POLICY: readonly NamespaceKind[] = ["runtimes", "ray", "team"];

type KubernetesObject = Record<string, unknown>;

/** A namespace and its policies, in the order of application. Settings of all users are merged. */
export function namespaceObjects(name: string, users: readonly NamespaceUser[]): KubernetesObject[] {
  const config = users.reduce<NamespaceConfig>((all, user) => ({ ...all, ...user.config }), {});
  const holds = (kind: NamespaceKind): boolean => users.some((user) => user.kind === kind);
  const level = config.podSecurity ?? weakest(users);
  // If no pod can meet a stricter level, a warning for each pod is useless.
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
    ...(hasPolicy(users, config) ? [networkPolicy(name, config, users)] : []),
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
 * Runtimes are reachable from other namespaces, where ingress controllers run, but not from other runtimes, in their
 * own namespace or another one. Pods of other components also reach each other. A component may open only some of its
 * ports to other namespaces. Egress is unrestricted except for the metadata address of the cloud, which returns
 * credentials of the node's role to any client. Probes and port-forwards come from the node, which policies always admit.
 */
function networkPolicy(namespace: string, config: NamespaceConfig, users: readonly NamespaceUser[]): KubernetesObject {
  const { clientNamespaces = [], clientCidrs = [], cloudMetadata = false } = config.networkPolicy ?? {};
  const others = { namespaceSelector: { matchExpressions: [{ key: RUNTIMES_LABEL, operator: "DoesNotExist" }] } };
  const named = clientNamespaces.map((name) => ({
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
  }));
  const openPorts = named.length > 0 ? [] : portsOf(users);
  const from = [
    ...(users.some(({ kind }) => kind === "runtimes") ? [] : [{ podSelector: {} }]),
    ...(named.length === 0 && openPorts === undefined ? [others] : named),
    ...clientCidrs.map((cidr) => ({ ipBlock: { cidr } })),
  ];
  const ports = openPorts?.map((port) => ({ port, protocol: "TCP" })) ?? [];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: NAME, namespace },
    spec: {
      podSelector: {},
      policyTypes: cloudMetadata ? ["Ingress"] : ["Ingress", "Egress"],
      ingress: [{ from }, ...(ports.length > 0 ? [{ from: [others], ports }] : [])],
      ...(!cloudMetadata && { egress: [{ to: ANYWHERE_BUT_METADATA }] }),
    },
  };
}

/** The ports that all users together open to other namespaces; undefined if one of them opens all. */
function portsOf(users: readonly NamespaceUser[]): number[] | undefined {
  const opened = users.flatMap(({ openPorts }) => openPorts ?? []);
  return users.every(({ openPorts }) => openPorts) ? [...new Set(opened)].sort((a, b) => a - b) : undefined;
}

/** Pods are selected explicitly, because not every network plugin matches them by address. */
const ANYWHERE_BUT_METADATA = [
  { namespaceSelector: {} },
  { ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.169.254/32"] } },
  { ipBlock: { cidr: "::/0", except: ["fd00:ec2::254/128"] } },
];
