import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { PROCESSES } from "../clusterConfig";
import { tail } from "../files";
import { layoutOf, type Layout } from "../layout";
import { allProcesses, end, ofYard } from "../processes";
import { readRecord } from "../record";
import type { ProcessImage } from "./images";
import { placementPolicy } from "./policy";

const NODE = { apiVersion: "v1", kind: "Node", name: "processes" } as const;
const START_MS = 60_000;

/** Why this machine can run no such node; undefined if it can. */
export function noProcessNode(): string | undefined {
  if (process.platform !== "linux") return `pods run as processes on Linux only; this is ${process.platform}`;
  return process.getuid?.() === 0
    ? undefined
    : "pods run as processes for root only, who may make namespaces and mounts";
}

const clientOf = ({ kubeconfig }: Layout): Client => connect(fs.readFileSync(kubeconfig, "utf8"), undefined, {});

/**
 * Starts a node on the yard in a folder that runs pods of these images as processes, and places those pods there. It continues when this process
 * ends; `stopProcessNode` and `make down` stop it. It logs to `node/log` of the yard.
 */
export async function startProcessNode(
  directory: string,
  program: string,
  images: readonly ProcessImage[],
): Promise<void> {
  const reason = noProcessNode();
  if (reason !== undefined) throw new Error(reason);
  await stopProcessNode(directory);
  const layout = layoutOf(directory);
  const record = readRecord(layout);
  if (!record) throw new Error(`there is no yard in ${directory}; run make up`);
  const folder = layout.node;
  fs.mkdirSync(folder, { recursive: true });
  const config = {
    directory: folder,
    name: NODE.name,
    kubeconfig: layout.kubeconfig,
    apiserver: `127.0.0.1:${record.ports.apiserver}`,
    clientCA: path.join(layout.cluster, "pki", "ca.crt"),
    labels: { [PROCESSES]: "true", "topology.kubernetes.io/zone": "yard-a" },
    taint: PROCESSES,
    images,
  };
  fs.writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
  const log = path.join(folder, "log");
  const output = fs.openSync(log, "w");
  // Its mounts are nobody else's, and end with it.
  const args = ["--mount", "--propagation", "private", program, "run", path.join(folder, "config.json")];
  const child = spawn("unshare", args, { detached: true, stdio: ["ignore", output, output] });
  fs.closeSync(output);
  await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  child.unref();
  const client = clientOf(layout);
  for (const until = Date.now() + START_MS; !(await isReady(client)); await sleep(200)) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`the node for pods as processes is not ready; last lines of ${log}:\n${tail(log, 5)}`);
  }
  for (const object of placementPolicy([PROBE, ...images.map(({ name }) => name)])) await client.apply(object as never);
  // The API server follows its policies with a delay.
  while (!(await isPlaced(client))) await sleep(100);
}

/** Image of a pod that is never created. */
const PROBE = "^yard.stackyard.dev/probe$";

async function isPlaced(client: Client): Promise<boolean> {
  const { spec } = (await client.apply(
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "probe", namespace: "default" },
      spec: { containers: [{ name: "probe", image: PROBE.slice(1, -1) }] },
    },
    { dryRun: true },
  )) as unknown as { readonly spec: { readonly nodeSelector?: object } };
  return spec.nodeSelector !== undefined;
}

async function isReady(client: Client): Promise<boolean> {
  const found = (await client.get(NODE)) as
    | { readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } }
    | undefined;
  return found?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
}

/** Stops the node with all its pods, and removes it from the cluster. */
export async function stopProcessNode(directory: string): Promise<void> {
  const layout = layoutOf(directory);
  await end(ofYard(allProcesses(), [layout.node]), "SIGTERM", 5000);
  const client = clientOf(layout);
  const policies = placementPolicy([""]) as readonly { apiVersion: string; kind: string; metadata: { name: string } }[];
  for (const { apiVersion, kind, metadata } of policies) await client.remove({ apiVersion, kind, ...metadata });
  await client.remove(NODE);
  fs.rmSync(layout.node, { recursive: true, force: true });
}
