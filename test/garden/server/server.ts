import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";
import { listAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { tail } from "../../../toolchain/yard/files";
import { layoutOf } from "../../../toolchain/yard/layout";
import { portToBind } from "../../../toolchain/yard/ports";
import { readRecord } from "../../../toolchain/yard/record";
import type { Yard } from "../../../toolchain/yard/yard";
import { startOn } from "./start";

/** The kinds of Gardener's API server, by group. */
const SERVED = {
  "core.gardener.cloud": ["v1beta1", "v1"],
  "security.gardener.cloud": ["v1alpha1"],
  "seedmanagement.gardener.cloud": ["v1alpha1"],
  "operations.gardener.cloud": ["v1alpha1"],
} as const;

const PATIENCE_MS = 120_000;
const PAUSE_MS = 100;
const NAME = "gardener-apiserver";
const NAMESPACE = "garden";

/** Starts Gardener's own API server on a yard, as part of the yard's API. It ends with the yard. */
export async function startGardenerServer(yard: Yard, client: Client, program: string): Promise<void> {
  const port = await portToBind();
  const { child, log } = await startOn(yard, NAME, program, argumentsFor(yard, port));
  for (const object of [NAMESPACE_OBJECT, serviceAt(port), ...apiServices(port)]) await client.apply(object);
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isServed(client))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`Gardener's API server does not answer; last lines of ${log}:\n${tail(log, 10)}`);
    await sleep(PAUSE_MS);
  }
}

function argumentsFor({ directory, kubeconfig }: Yard, port: number): string[] {
  const layout = layoutOf(directory);
  const etcd = readRecord(layout)?.ports.etcd;
  const pki = (file: string): string => path.join(layout.cluster, "pki", file);
  return Object.entries({
    "bind-address": "127.0.0.1",
    "secure-port": port,
    "tls-cert-file": pki("admin.crt"),
    "tls-private-key-file": pki("admin.key"),
    "etcd-servers": `https://127.0.0.1:${etcd}`,
    "etcd-cafile": pki("ca.crt"),
    "etcd-certfile": pki("admin.crt"),
    "etcd-keyfile": pki("admin.key"),
    kubeconfig,
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    "cluster-identity": "yard",
    "workload-identity-token-issuer": "https://issuer.example.com",
    "workload-identity-signing-key-file": pki("admin.key"),
    "enable-priority-and-fairness": false,
    "log-level": "error",
  }).map(([flag, value]) => `--${flag}=${value}`);
}

const NAMESPACE_OBJECT: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } };

/** The API server connects to the name, not to an endpoint, which must not be on this machine. */
const serviceAt = (port: number): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: NAMESPACE, name: NAME },
  spec: { type: "ExternalName", externalName: "localhost", ports: [{ port, protocol: "TCP" }] },
});

const apiServices = (port: number): KubeObject[] =>
  Object.entries(SERVED).flatMap(([group, versions]) =>
    versions.map((version, at) => ({
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `${version}.${group}` },
      spec: {
        ...{ group, version, groupPriorityMinimum: 9000, versionPriority: 20 - at },
        service: { namespace: NAMESPACE, name: NAME, port },
        // The yard's certificate is for localhost; the API server expects the name of the Service.
        insecureSkipTLSVerify: true,
      },
    })),
  );

async function isServed(client: Client): Promise<boolean> {
  const services = await client.list({ apiVersion: "apiregistration.k8s.io/v1", kind: "APIService" });
  const ours = services.filter(({ metadata: { name } }) => name.endsWith(".gardener.cloud"));
  return ours.every(({ status }) =>
    listAt(status, "conditions").some(({ type, status: value }) => type === "Available" && value === "True"),
  );
}
