import * as fs from "node:fs";
import * as path from "node:path";
import { etcdPatches } from "./etcdAccess";
import type { Layout } from "./layout";
import type { Ports } from "./ports";

/**
 * Each component runs once. With leader election, it would wait a quarter of a minute after a restart for the lease of
 * the dead process.
 */
const NO_LEADER_ELECTION = { key: "leader-elect", value: "false" };

/** Label and taint of the node whose pods run as processes. */
export const PROCESSES = "yard.stackyard.dev/processes";

/** Name in the client certificate that kwokctl issues for all components. */
const ADMIN = "kwok-admin";

/** Lets the API server show itself to kubelets, which it finds by their addresses: names of nodes are no names of hosts. */
const kubeletArgs = (layout: Layout) =>
  Object.entries({
    "kubelet-client-certificate": path.join(layout.cluster, "pki", "admin.crt"),
    "kubelet-client-key": path.join(layout.cluster, "pki", "admin.key"),
    "kubelet-preferred-address-types": "InternalIP",
  }).map(([key, value]) => ({ key, value }));

/** Lets other API servers serve some kinds of the cluster: they accept the user that the API server names. */
const aggregationArgs = (layout: Layout) =>
  Object.entries({
    "requestheader-client-ca-file": path.join(layout.cluster, "pki", "ca.crt"),
    "requestheader-allowed-names": ADMIN,
    "requestheader-username-headers": "X-Remote-User",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "proxy-client-cert-file": path.join(layout.cluster, "pki", "admin.crt"),
    "proxy-client-key-file": path.join(layout.cluster, "pki", "admin.key"),
  }).map(([key, value]) => ({ key, value }));

/** Names by which pods reach the API server: those of its Service, and the first address of those of Services. */
const SERVICE_NAMES = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "10.0.0.1"];

export const auditPolicyFile = ({ clusterAlias }: Layout): string => path.join(clusterAlias, "audit-policy.json");

/** What service accounts change is in the audit log of the API server, by which tests find who writes. */
export const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [
    {
      level: "Metadata",
      userGroups: ["system:serviceaccounts"],
      verbs: ["create", "update", "patch", "delete", "deletecollection"],
    },
    { level: "None" },
  ],
};

/** The config for kwokctl: our programs, our ports, local access only. JSON is valid YAML. */
export function clusterConfig(layout: Layout, programs: Readonly<Record<string, string>>, ports: Ports): string {
  const config = {
    kind: "KwokctlConfiguration",
    apiVersion: "config.kwok.x-k8s.io/v1alpha1",
    options: {
      runtime: "binary",
      // No access from the network.
      bindAddress: "127.0.0.1",
      // KWOK reads Stages from the cluster, so that tests can add their own.
      enableCRDs: ["Stage"],
      // Without client-side rate limits, which protect shared clusters.
      disableQPSLimits: true,
      etcdBinary: programs["etcd"],
      kubeApiserverBinary: programs["kube-apiserver"],
      kubeControllerManagerBinary: programs["kube-controller-manager"],
      kubeSchedulerBinary: programs["kube-scheduler"],
      kubeAuditPolicy: auditPolicyFile(layout),
      kubectlBinary: programs["kubectl"],
      kwokControllerBinary: programs["kwok"],
      etcdPort: ports.etcd,
      etcdPeerPort: ports.etcdPeer,
      kubeApiserverPort: ports.apiserver,
      kubeApiserverCertSANs: SERVICE_NAMES,
      kubeControllerManagerPort: ports.controllerManager,
      kubeSchedulerPort: ports.scheduler,
      kwokControllerPort: ports.kwok,
    },
    componentsPatches: [
      {
        name: "kube-controller-manager",
        // Retry interval after a conflict between two controllers on a claim; the default is 15 seconds.
        extraArgs: [{ key: "pvclaimbinder-sync-period", value: "1s" }, NO_LEADER_ELECTION],
      },
      { name: "kube-scheduler", extraArgs: [NO_LEADER_ELECTION] },
      {
        name: "kwok-controller",
        // A node that runs its pods as processes has a kubelet of its own.
        extraArgs: [
          { key: "manage-all-nodes", value: "false", override: true },
          { key: "manage-nodes-with-label-selector", value: `!${PROCESSES}` },
        ],
      },
      { name: "kube-apiserver", extraArgs: [...aggregationArgs(layout), ...kubeletArgs(layout)] },
      ...etcdPatches(layout, ports),
    ],
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

interface YardCredentials {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export function credentialsOf(layout: Layout): YardCredentials {
  const read = (file: string): Buffer => fs.readFileSync(path.join(layout.cluster, "pki", file));
  return { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
}

/** A kubeconfig with embedded credentials, which can be passed on as a text. */
export function kubeconfigOf(ports: Ports, { ca, cert, key }: YardCredentials): string {
  const base64 = (content: Buffer): string => content.toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "yard",
    contexts: [{ name: "yard", context: { cluster: "yard", user: "yard" } }],
    clusters: [
      {
        name: "yard",
        cluster: { server: `https://127.0.0.1:${ports.apiserver}`, "certificate-authority-data": base64(ca) },
      },
    ],
    users: [{ name: "yard", user: { "client-certificate-data": base64(cert), "client-key-data": base64(key) } }],
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
