import * as fs from "node:fs";
import * as path from "node:path";
import { etcdPatches } from "./etcdAccess";
import type { Layout } from "./layout";
import type { Ports } from "./ports";

/** There is one of each; after a restart it would wait a quarter of a minute until the lease of its dead self is over. */
const ALONE = { key: "leader-elect", value: "false" };

/** What kwokctl is sent: our programs, our ports, this machine only. JSON is YAML enough. */
export function clusterConfig(layout: Layout, programs: Readonly<Record<string, string>>, ports: Ports): string {
  const config = {
    kind: "KwokctlConfiguration",
    apiVersion: "config.kwok.x-k8s.io/v1alpha1",
    options: {
      runtime: "binary",
      // Nobody else on the network has any business here.
      bindAddress: "127.0.0.1",
      // KWOK takes its Stages from the cluster, where tests can add their own.
      enableCRDs: ["Stage"],
      // Without them the components throttle themselves for the sake of a cluster of many users.
      disableQPSLimits: true,
      etcdBinary: programs["etcd"],
      kubeApiserverBinary: programs["kube-apiserver"],
      kubeControllerManagerBinary: programs["kube-controller-manager"],
      kubeSchedulerBinary: programs["kube-scheduler"],
      kubectlBinary: programs["kubectl"],
      kwokControllerBinary: programs["kwok"],
      etcdPort: ports.etcd,
      etcdPeerPort: ports.etcdPeer,
      kubeApiserverPort: ports.apiserver,
      kubeControllerManagerPort: ports.controllerManager,
      kubeSchedulerPort: ports.scheduler,
      kwokControllerPort: ports.kwok,
    },
    componentsPatches: [
      {
        name: "kube-controller-manager",
        // A claim that two controllers wrote at once is looked at again after this time, instead of 15 seconds.
        extraArgs: [{ key: "pvclaimbinder-sync-period", value: "1s" }, ALONE],
      },
      { name: "kube-scheduler", extraArgs: [ALONE] },
      ...etcdPatches(layout, ports),
    ],
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

export interface Credentials {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export function credentialsOf(layout: Layout): Credentials {
  const read = (file: string): Buffer => fs.readFileSync(path.join(layout.cluster, "pki", file));
  return { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
}

/** A kubeconfig that needs no other file, so that it can be handed on as a text. */
export function kubeconfigOf(ports: Ports, { ca, cert, key }: Credentials): string {
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
