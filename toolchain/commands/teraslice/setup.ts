import * as fs from "node:fs";
import * as path from "node:path";
import { say } from "../../bootstrap/progress";
import { ensureTools } from "../../tools/ensure";
import { yardNode } from "../../tools/yardNode";
import { layoutOf } from "../../yard/layout";
import { allProcesses, ofYard } from "../../yard/processes";
import { startProcessNode } from "../../yard/processNode/node";
import { terasliceStack } from "../../yard/processNode/teraslice";
import { startYard, type Yard } from "../../yard/yard";
import { run } from "../run";

const NAMESPACE = "search";
const MASTER = ["-n", "teraslice", "deployment/teraslice-dev-master"] as const;
const EXAMPLE = "records";

/** Whether the yard has a node whose pods run as processes. */
export const isReal = ({ directory }: Yard): boolean => ofYard(allProcesses(), [layoutOf(directory).node]).length > 0;

/** Runs programs one after the other, until one fails. */
async function inOrder(root: string, { env }: Yard, lines: readonly (readonly string[])[]): Promise<number> {
  for (const [program = "", ...args] of lines) {
    const code = await run(program, args, { cwd: root, env });
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * `make teraslice-setup`: a node for pods as processes, OpenSearch on it, and the stack's Teraslice with a master that is real. Asks first
 * for what this machine lacks.
 */
export async function setup(root: string): Promise<number> {
  const found = await terasliceStack(root);
  if ("missing" in found) throw new Error(`Teraslice can't run here: ${found.missing}`);
  const yard = await startYard();
  const { programs } = await ensureTools(root, [yardNode]);
  if (!isReal(yard)) await startProcessNode(yard.directory, programs["yard-node"] ?? "", found.images);
  const kubectl = (...args: string[]) => ["kubectl", ...args];
  const code = await inOrder(root, yard, [
    ["sh", "-c", `kubectl create namespace ${NAMESPACE} --dry-run=client -o yaml | kubectl apply -f -`],
    kubectl("apply", "-n", NAMESPACE, "-f", path.join("examples", "teraslice", "search", "manifests")),
    kubectl("rollout", "status", "-n", NAMESPACE, "statefulset/opensearch", "--timeout=300s"),
    ["stackyard", "teraslice", "up", "--stack", "dev", "--yes"],
    // A pod that was there before the node is simulated.
    kubectl("rollout", "restart", ...MASTER),
    kubectl("rollout", "status", ...MASTER, "--timeout=300s"),
  ]);
  if (code === 0) say("✓ Teraslice runs, with OpenSearch as its store. Try it: make teraslice-example");
  return code;
}

/** `make teraslice-example`: the asset and the job of the example, until its records are indexed. */
export async function example(root: string): Promise<number> {
  const found = await terasliceStack(root);
  if ("missing" in found) throw new Error(`Teraslice can't run here: ${found.missing}`);
  const yard = await startYard();
  if (!isReal(yard)) throw new Error("no Teraslice runs on the yard; make teraslice-setup starts it");
  const folder = path.join(yard.directory, "teraslice-example");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(path.join(root, "examples", "teraslice", EXAMPLE), folder, { recursive: true });
  fs.symlinkSync(found.modules, path.join(folder, "node_modules"));
  const teraslice = (...args: string[]) => ["stackyard", "teraslice", ...args, "--stack", "dev"];
  const url = "/api/v1/namespaces/search/services/opensearch:9200/proxy";
  return inOrder(root, yard, [
    teraslice("assets", "deploy", folder),
    teraslice("register", path.join("examples", "teraslice", `${EXAMPLE}.yaml`), "--yes"),
    teraslice("start", EXAMPLE, "--yes"),
    teraslice("await", EXAMPLE, "--timeout", "600"),
    ["kubectl", "get", "--raw", `${url}/${EXAMPLE}/_refresh`],
    ["kubectl", "get", "--raw", `${url}/${EXAMPLE}/_count`],
  ]);
}
