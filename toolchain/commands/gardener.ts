import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { duration, say } from "../bootstrap/progress";
import { startYard } from "../yard/yard";
import { layoutOf } from "../yard/layout";
import { allProcesses, GARDENER_DOUBLE, ofYard } from "../yard/processes";
import { run } from "./run";
import { deploy } from "./up";

const PATIENCE_MS = 180_000;
const PAUSE_MS = 200;

const EXAMPLE = { stack: "gardener", runtimes: "runtime/examples/gardener.yaml" };

/**
 * `make gardener-up`: starts the tests' Gardener double on the local yard, with a second control plane for the clusters
 * of its Shoots, a platform stack with a provisioner for it, and a runtime. It ends with the yard.
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
    // The last argument identifies its yard, so that it ends with it.
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
  const code = await deploy(root, yard, EXAMPLE);
  if (code !== 0) return code;
  const list = await run("stackyard", ["runtime", "list", "--platform", EXAMPLE.stack, "--local"], {
    cwd: root,
    env: yard.env,
  });
  const [garden, cluster] = [kubeconfig, path.join(shoots, "kubeconfig")].map((file) => path.relative(root, file));
  say(`✓ make gardener-up: ${duration(Date.now() - started)}. To look around: eval "$(make -s env)", then`);
  say(`  kubectl --kubeconfig ${garden} --namespace garden-dev get shoots --watch`);
  say(`  kubectl --kubeconfig ${cluster} --namespace kyma-system get configmaps`);
  say(`  stackyard runtime hibernate example-cluster`);
  return list;
}
