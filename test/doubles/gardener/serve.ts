import * as fs from "node:fs";
import path from "node:path";
import { Gardener } from "./gardener";
import { startRuntimeCluster } from "./runtimeCluster";

/** Slow enough to watch. */
const STEP_MS = 500;

/**
 * Simulates Gardener on a local yard until it is stopped. A second control plane stands for the clusters of all Shoots.
 * Writes the kubeconfig of the project's robot account. Arguments: the yard's folder, the folder of the second control
 * plane, the kubeconfig to write, and any text that identifies the process.
 */
async function main([yard = "", shoots = "", kubeconfig = ""]: readonly string[]): Promise<void> {
  const cluster = await startRuntimeCluster(shoots);
  const gardener = await Gardener.start({ yard, cluster, stepMs: STEP_MS });
  fs.rmSync(kubeconfig, { force: true });
  fs.writeFileSync(kubeconfig, `${gardener.kubeconfig}\n`, { mode: 0o600 });
  process.stdout.write(`Gardener answers at ${gardener.door.url}, kubeconfig ${path.relative("", kubeconfig)}\n`);
}

void main(process.argv.slice(2));
