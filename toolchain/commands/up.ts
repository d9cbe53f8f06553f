import * as fs from "node:fs";
import * as path from "node:path";
import { duration, say } from "../bootstrap/progress";
import { startYard, type Yard } from "../yard/yard";
import { layoutOf } from "../yard/layout";
import { waitForUpdate } from "../yard/stateLocks";
import { run } from "./run";

/** A platform stack of the local yard with runtimes. */
interface Example {
  readonly stack: string;
  readonly runtimes: string;
}

const DEV: Example = { stack: "dev", runtimes: "runtime/examples/dev.yaml" };

/** Creates the stack in the yard's state if it is missing, and selects it. */
async function makeStack(root: string, yard: Yard, stack: string): Promise<void> {
  if (fs.existsSync(path.join(layoutOf(yard.directory).state, ".pulumi", "stacks", "stackyard", `${stack}.json`)))
    return;
  // Only the stack `dev` is selected.
  const made = stack === DEV.stack ? ["select", "--create", stack] : ["init", stack, "--no-select"];
  const args = ["stack", ...made, "--non-interactive"];
  const code = await run("pulumi", args, { cwd: root, env: yard.env });
  if (code !== 0)
    throw new Error(`pulumi ${args.slice(0, -1).join(" ")} ended with exit code ${code}; its output is above`);
}

/**
 * `make up`: starts the yard, the platform stack `dev`, and the runtimes of the examples. Whatever is already correct
 * is not changed.
 */
export async function up(root: string): Promise<number> {
  const started = Date.now();
  const yard = await startYard();
  const code = await deploy(root, yard, DEV);
  if (code !== 0) return code;
  const list = await run("stackyard", ["runtime", "list", "--local"], { cwd: root, env: yard.env });
  say(`✓ make up: ${duration(Date.now() - started)}. To look around: eval "$(make -s env)"`);
  return list;
}

/** Deploys a platform stack and its example runtimes. Returns an exit code. */
export async function deploy(root: string, yard: Yard, { stack, runtimes }: Example): Promise<number> {
  await makeStack(root, yard, stack);
  await waitForUpdate(layoutOf(yard.directory).state, `stackyard/${stack}`, (pid) => {
    say(`• Stack ${stack}: an update of process ${pid} is still running; waiting`);
  });
  const platform = await run(
    "pulumi",
    [
      "up",
      "--yes",
      "--skip-preview",
      "--non-interactive",
      "--suppress-outputs",
      "--suppress-progress",
      "--stack",
      stack,
    ],
    { cwd: root, env: yard.env },
  );
  if (platform !== 0) return platform;
  return run("stackyard", ["runtime", "up", "-f", runtimes, "--platform", stack, "--local"], {
    cwd: root,
    env: yard.env,
  });
}
