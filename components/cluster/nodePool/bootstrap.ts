/** User data of nodes: what the pool needs, and the user's own. Pure. */

import { nodeLabels, type NodePoolConfig } from "./plan";
import { vcpusOf } from "./instanceType";
import { mimeParts, NODE_CONFIG, type UserDataPart } from "./userData";

/** What a node of an own image needs to join, because EKS adds nothing to its user data. */
export interface JoinedCluster {
  readonly name: string;
  readonly endpoint: string;
  /** Certificate in base64. */
  readonly authority: string;
  readonly serviceCidr: string;
}

/** User data in the format of EKS; undefined if the nodes need none. `join`: set for an own image. */
export function bootstrapData(name: string, pool: NodePoolConfig, join?: JoinedCluster): string | undefined {
  if (pool.os === "bottlerocket") {
    const settings = [
      ...(join ? [bottlerocketJoin(name, pool, join)] : []),
      ...(pool.localStorage ? [BOTTLEROCKET_DISKS] : []),
      ...(pool.userData === undefined ? [] : [pool.userData]),
    ];
    return settings.length === 0 ? undefined : settings.join("\n");
  }
  const spec = {
    ...(join && { cluster: clusterOf(join), kubelet: kubeletOf(name, pool) }),
    ...(pool.localStorage && { instance: { localStorage: { strategy: pool.localStorage } } }),
  };
  if (Object.keys(spec).length === 0) return pool.userData;
  const own: UserDataPart = {
    type: NODE_CONFIG,
    // JSON is YAML.
    text: JSON.stringify({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec }),
  };
  return mimeParts([own], pool.userData);
}

const clusterOf = ({ name, endpoint, authority, serviceCidr }: JoinedCluster) => ({
  name,
  apiServerEndpoint: endpoint,
  certificateAuthority: authority,
  cidr: serviceCidr,
});

/** Pods of a node with prefix delegation, as managed node groups limit them. */
const mostPods = ({ instanceTypes }: NodePoolConfig): number =>
  instanceTypes.every((type) => (vcpusOf(type) ?? 0) >= 30) ? 250 : 110;

const assignments = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

function kubeletOf(name: string, pool: NodePoolConfig) {
  const taints = pool.taints.map(({ key, value = "", effect }) => `${key}=${value}:${effect}`);
  return {
    config: { maxPods: mostPods(pool) },
    flags: [
      `--node-labels=${assignments(nodeLabels(name, pool))}`,
      ...(taints.length === 0 ? [] : [`--register-with-taints=${taints.join(",")}`]),
    ],
  };
}

/** Uses the disks as Karpenter does. */
const BOTTLEROCKET_DISKS = `[settings.bootstrap-commands.local-storage]
commands = [
  ["apiclient", "ephemeral-storage", "init"],
  ["apiclient", "ephemeral-storage", "bind", "--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"],
]
mode = "always"
essential = true
`;

function bottlerocketJoin(name: string, pool: NodePoolConfig, join: JoinedCluster): string {
  const text = JSON.stringify;
  const labels = Object.entries(nodeLabels(name, pool)).map(([key, value]) => `${text(key)} = ${text(value)}`);
  const keys = [...new Set(pool.taints.map(({ key }) => key))];
  const taints = keys.map((key) => {
    const values = pool.taints.filter((taint) => taint.key === key);
    return `${text(key)} = [${values.map(({ value = "", effect }) => text(`${value}:${effect}`)).join(", ")}]`;
  });
  return [
    "[settings.kubernetes]",
    `api-server = ${text(join.endpoint)}`,
    `cluster-certificate = ${text(join.authority)}`,
    `cluster-name = ${text(join.name)}`,
    `max-pods = ${mostPods(pool)}`,
    "[settings.kubernetes.node-labels]",
    ...labels,
    ...(taints.length === 0 ? [] : ["[settings.kubernetes.node-taints]", ...taints]),
    "",
  ].join("\n");
}
