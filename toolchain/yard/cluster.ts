import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as https from "node:https";
import * as path from "node:path";
import { promisify } from "node:util";
import { AUDIT_POLICY, auditPolicyFile, clusterConfig, credentialsOf, kubeconfigOf } from "./clusterConfig";
import { closeEtcd } from "./etcdAccess";
import { writePrivateSync } from "../../foundation/wholeFile";
import { link, tail } from "./files";
import type { Layout } from "./layout";
import { becomesFree, type Ports } from "./ports";
import { allProcesses, end, ofYard } from "./processes";

const run = promisify(execFile);

/** Programs of a cluster, under kwokctl's names. */
const COMPONENTS = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok-controller"] as const;

export type ClusterState = "none" | "incomplete" | "stopped" | "running";

/**
 * Returns the next step for a cluster in this state. An incomplete cluster is recreated, because it contains nothing of
 * value yet.
 */
export function nextClusterStep(state: ClusterState): "create" | "recreate" | "start" | "nothing" {
  switch (state) {
    case "none":
      return "create";
    case "incomplete":
      return "recreate";
    case "stopped":
      return "start";
    case "running":
      return "nothing";
  }
}

/** Whether the API server is ready. */
function answers(layout: Layout, ports: Ports): Promise<boolean> {
  return new Promise((resolve) => {
    const request = https.get(
      { host: "127.0.0.1", port: ports.apiserver, path: "/readyz", timeout: 3000, ...credentialsOf(layout) },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}

/** Running components of this yard by process id. */
function running(layout: Layout): Map<string, number> {
  const ours = ofYard(allProcesses(), [layout.cluster]);
  return new Map(ours.map(({ pid, args }) => [path.basename(args[0] ?? ""), pid]));
}

export async function clusterState(layout: Layout, ports: Ports): Promise<ClusterState> {
  if (!fs.existsSync(layout.clusterDone)) return fs.existsSync(layout.clusterHome) ? "incomplete" : "none";
  const there = running(layout);
  return COMPONENTS.every((name) => there.has(name)) && (await answers(layout, ports)) ? "running" : "stopped";
}

interface ClusterTools {
  readonly layout: Layout;
  readonly ports: Ports;
  readonly programs: Readonly<Record<string, string>>;
  /** Folder of this checkout's Stages and manifests. */
  readonly furniture: string;
}

async function kwokctl({ layout, programs }: ClusterTools, args: readonly string[]): Promise<void> {
  const program = programs["kwokctl"] ?? "kwokctl";
  try {
    await run(program, ["--name", layout.clusterName, "--config", layout.clusterConfig, ...args], {
      env: {
        ...process.env,
        KWOK_WORKDIR: layout.clusterAlias,
        KUBECONFIG: path.join(layout.clusterAlias, "unused-kubeconfig"),
        KUBECACHEDIR: layout.kubectlCache,
      },
      maxBuffer: 16e6,
    });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? "";
    const logs = COMPONENTS.map((name) => `${name}: ${tail(path.join(layout.cluster, "logs", `${name}.log`), 2)}`).join(
      "\n",
    );
    throw new Error(
      `kwokctl ${args[0]} ${args[1]} failed:\n${said.trim().split("\n").slice(-5).join("\n")}\nLast lines of the components:\n${logs}`,
    );
  }
}

async function kubectl({ layout, programs }: ClusterTools, args: readonly string[]): Promise<string> {
  const { stdout } = await run(
    programs["kubectl"] ?? "kubectl",
    ["--kubeconfig", layout.kubeconfig, "--cache-dir", layout.kubectlCache, ...args],
    {
      maxBuffer: 16e6,
    },
  );
  return stdout;
}

async function waitUntilReady({ layout, ports }: ClusterTools): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await answers(layout, ports))) {
    if (Date.now() > deadline) {
      const log = path.join(layout.cluster, "logs", "kube-apiserver.log");
      throw new Error(
        `the API server of the local yard is not ready after 60 seconds; last lines of ${log}:\n${tail(log, 5)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function takenPort(ports: Ports): Promise<string | undefined> {
  for (const [name, port] of Object.entries(ports)) {
    if (name !== "postgres" && !(await becomesFree(port))) return `${port} (${name})`;
  }
  return undefined;
}

/** Stops all components of the cluster that still run; its files stay. */
export async function stopCluster(layout: Layout): Promise<void> {
  await end(ofYard(allProcesses(), [layout.cluster]), "SIGTERM", 1000);
}

/** kwokctl never checks its process ids, which may belong to other programs after a restart of the machine. */
function forgetDead(layout: Layout): void {
  const pids = path.join(layout.cluster, "pids");
  const ours = new Set([...running(layout).values()].map(String));
  for (const file of fs.readdirSync(pids)) {
    if (!ours.has(fs.readFileSync(path.join(pids, file), "utf8").trim())) fs.rmSync(path.join(pids, file));
  }
}

/**
 * Restarts KWOK, so that it uses its Stages and all nodes immediately: without Stages at start it only looks again
 * after five seconds, and it would wait forty seconds for the node lease of the dead process.
 */
async function restartKwok(tools: ClusterTools): Promise<void> {
  const { layout } = tools;
  const kwok = ofYard(allProcesses(), [layout.cluster]).filter(
    ({ args }) => path.basename(args[0] ?? "") === "kwok-controller",
  );
  await end(kwok, "SIGKILL", 1000);
  await kubectl(tools, ["delete", "leases", "--all", "--namespace", "kube-node-lease"]);
  forgetDead(layout);
  await kwokctl(tools, ["start", "cluster"]);
}

/** Creates Stages, classes and nodes, which make an empty control plane behave like a cluster. */
async function createObjects(tools: ClusterTools): Promise<void> {
  const { furniture, layout } = tools;
  await kubectl(tools, ["wait", "--for=condition=Established", "crd/stages.kwok.x-k8s.io", "--timeout=30s"]);
  const folders = ["stages", "manifests"].flatMap((name) => ["-f", path.join(furniture, name)]);
  await kubectl(tools, ["apply", "--server-side", ...folders]);
  await restartKwok(tools);
  try {
    await kubectl(tools, ["wait", "--for=condition=Ready", "nodes", "--all", "--timeout=60s"]);
  } catch {
    const log = path.join(layout.cluster, "logs", "kwok-controller.log");
    throw new Error(
      `the nodes of the local yard are not ready after 60 seconds; last lines of KWOK's log ${log}:\n${tail(log, 5)}`,
    );
  }
}

async function create(tools: ClusterTools): Promise<void> {
  const { layout, ports, programs } = tools;
  fs.mkdirSync(layout.clusterHome, { recursive: true });
  if (layout.clusterAlias !== layout.clusterHome) link(layout.clusterHome, layout.clusterAlias);
  const linked = Object.entries(programs).map(([name, file]): [string, string] => {
    const alias = path.join(layout.clusterAlias, "tools", name);
    link(file, alias);
    return [name, alias];
  });
  writePrivateSync(layout.clusterConfig, clusterConfig(layout, Object.fromEntries(linked), ports));
  fs.writeFileSync(auditPolicyFile(layout), JSON.stringify(AUDIT_POLICY));
  await kwokctl(tools, ["create", "cluster", "--kubeconfig", path.join(layout.clusterAlias, "unused-kubeconfig")]);
  writePrivateSync(layout.kubeconfig, kubeconfigOf(ports, credentialsOf(layout)));
  await waitUntilReady(tools);
  await createObjects(tools);
  fs.writeFileSync(layout.clusterDone, "");
}

async function start(tools: ClusterTools): Promise<void> {
  const { layout, ports } = tools;
  // Components that still run may be waiting for a missing one, or hang. Restarting all of them is as fast and always
  // correct.
  await stopCluster(layout);
  const taken = await takenPort(ports);
  if (taken !== undefined) {
    throw new Error(
      `port ${taken} of the local yard is used by another program, so its cluster cannot start again; end that program and run make up, or run "make down" and "make up" for a new yard on other ports`,
    );
  }
  forgetDead(layout);
  await kwokctl(tools, ["start", "cluster"]);
  await waitUntilReady(tools);
  await restartKwok(tools);
}

/** Starts the cluster with all that it needs, from any state. Returns what was done. */
export async function ensureCluster(tools: ClusterTools): Promise<"create" | "recreate" | "start" | "nothing"> {
  const { layout, ports } = tools;
  // A cluster from before etcd required certificates is restarted with its data.
  if (closeEtcd(layout, ports)) await stopCluster(layout);
  const step = nextClusterStep(await clusterState(layout, ports));
  if (step === "start") await start(tools);
  if (step === "create" || step === "recreate") {
    await stopCluster(layout);
    fs.rmSync(layout.clusterHome, { recursive: true, force: true });
    await create(tools);
  }
  return step;
}
