import { execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { nodePoolManifest, type ClassKind } from "../../../components/cluster/onEks/nodePoolManifests";
import type { NodePoolConfig } from "../../../components/cluster/nodePool/plan";
import { KARPENTER_CRDS } from "../../tools/karpenter";
import type { Yard } from "../yard";
import { allProcesses, end, ofYard } from "../processes";
import { instanceTypes } from "./instanceTypes";

/** The node class of the simulated nodes. */
const KWOK_CLASS: ClassKind = {
  apiVersion: "karpenter.kwok.sh/v1alpha1",
  kind: "KWOKNodeClass",
  expireAfter: "720h",
  takesOs: true,
};

/** A pool of the yard with its node class, as a platform's `nodePools` would create on EKS. */
export const yardPool = (name: string, pool: NodePoolConfig): Record<string, unknown>[] => [
  { apiVersion: KWOK_CLASS.apiVersion, kind: KWOK_CLASS.kind, metadata: { name } },
  nodePoolManifest(name, pool, 3, KWOK_CLASS),
];

interface KarpenterProgram {
  /** Folder of the program and its CustomResourceDefinitions. */
  readonly folder: string;
  readonly program: string;
  /** Port of its metrics. Default: any free one. */
  readonly metricsPort?: number;
}

const karpenters = ({ directory }: Pick<Yard, "directory">) =>
  ofYard(allProcesses(), [directory]).filter(({ args }) => path.basename(args[0] ?? "") === "karpenter");

/**
 * Starts Karpenter on a yard with its CustomResourceDefinitions unless it is running. It continues when this process
 * ends; `stopKarpenter` and `make down` stop it. It logs to `logs/karpenter.log` of the yard.
 */
export async function startKarpenter(
  yard: Yard,
  { folder, program, metricsPort = 0 }: KarpenterProgram,
): Promise<void> {
  for (const file of KARPENTER_CRDS) await kubectl(yard, "apply", "--server-side", "-f", path.join(folder, file));
  const names = ["nodeclaims.karpenter.sh", "nodepools.karpenter.sh", "kwoknodeclasses.karpenter.kwok.sh"];
  await kubectl(yard, "wait", "--for=condition=Established", "--timeout=60s", ...names.map((name) => `crd/${name}`));
  if (karpenters(yard).length > 0) return;
  const types = path.join(yard.directory, "karpenter-instance-types.json");
  fs.writeFileSync(types, JSON.stringify(instanceTypes()));
  const log = path.join(yard.directory, "logs", "karpenter.log");
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const output = fs.openSync(log, "a");
  try {
    const child = spawn(program, [], {
      // A path in the yard's folder, by which its processes are identified.
      argv0: path.join(yard.directory, "karpenter"),
      detached: true,
      stdio: ["ignore", output, output],
      env: {
        ...yard.env,
        INSTANCE_TYPES_FILE_PATH: types,
        DISABLE_LEADER_ELECTION: "true",
        SYSTEM_NAMESPACE: "kube-system",
        KARPENTER_SERVICE: "karpenter",
        METRICS_PORT: String(metricsPort),
        // Any free port; it is not used.
        HEALTH_PROBE_PORT: "0",
      },
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
  } finally {
    fs.closeSync(output);
  }
}

/** Deletes the nodes that Karpenter added, then stops it. */
export async function stopKarpenter(yard: Yard): Promise<void> {
  const running = karpenters(yard);
  if (running.length === 0) return;
  await kubectl(yard, "delete", "nodepools.karpenter.sh", "--all", "--timeout=60s");
  await kubectl(yard, "delete", "nodeclaims.karpenter.sh", "--all", "--timeout=60s");
  await end(running, "SIGTERM", 5000);
}

const execute = promisify(execFile);

async function kubectl({ env }: Yard, ...args: string[]): Promise<void> {
  await execute("kubectl", args, { env });
}

/** Applies objects to a yard. */
export async function applyAll(yard: Yard, objects: readonly object[]): Promise<void> {
  const file = path.join(yard.directory, "karpenter-objects.json");
  fs.writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  await kubectl(yard, "apply", "--server-side", "-f", file);
}
