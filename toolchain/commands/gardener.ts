import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { duration, say } from "../bootstrap/progress";
import { startYard } from "../yard";
import { layoutOf } from "../yard/layout";
import { allProcesses, GARDENER_DOUBLE, ofYard } from "../yard/processes";

const PATIENCE_MS = 180_000;
const PAUSE_MS = 200;

/**
 * `make gardener-up`: Gardener, played by the double of the tests, on the local yard, with a second control plane for the
 * clusters of its Shoots, and one Shoot. It ends with the yard.
 */
export async function gardenerUp(root: string): Promise<number> {
  const started = Date.now();
  const yard = await startYard();
  const { shoots, pulumiHome } = layoutOf(yard.directory);
  const kubeconfig = path.join(shoots, "gardener-kubeconfig");
  const log = path.join(shoots, "gardener.log");
  const isRunning = ofYard(allProcesses(), [yard.directory]).some(({ args }) => args[0] === GARDENER_DOUBLE);
  if (!isRunning) {
    fs.mkdirSync(shoots, { recursive: true });
    const output = fs.openSync(log, "w");
    const program = path.join(root, "test", "doubles", "gardener", "serve.ts");
    // The last word says whose it is, so that it ends with the yard.
    const child = spawn(
      process.execPath,
      ["--import", "tsx", program, yard.directory, shoots, kubeconfig, path.join(pulumiHome, "gardener")],
      { argv0: GARDENER_DOUBLE, cwd: root, env: yard.env, detached: true, stdio: ["ignore", output, output] },
    );
    child.unref();
    fs.closeSync(output);
    const deadline = Date.now() + PATIENCE_MS;
    while (!fs.readFileSync(log, "utf8").includes("Gardener answers at")) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the double of Gardener does not answer; what it said is in ${log}`);
      await sleep(PAUSE_MS);
    }
  }
  const shown = path.relative(root, kubeconfig);
  say(`✓ Gardener on the local yard: ${duration(Date.now() - started)}. To look around:`);
  say(`  kubectl --kubeconfig ${shown} --namespace garden-dev get shoots --watch`);
  return 0;
}
