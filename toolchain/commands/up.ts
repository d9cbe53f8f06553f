import * as fs from "node:fs";
import * as path from "node:path";
import { duration, say } from "../bootstrap/progress";
import { startYard, type Yard } from "../yard";
import { layoutOf } from "../yard/layout";
import { waitForUpdate } from "../yard/stateLocks";
import { run } from "./run";

const STACK = "dev";
const EXAMPLES = "runtime/examples/dev.yaml";

/** Makes and selects the stack in the yard's state where it isn't there yet. */
async function makeStack(root: string, yard: Yard): Promise<void> {
  if (fs.existsSync(path.join(layoutOf(yard.directory).state, ".pulumi", "stacks", "stackyard", `${STACK}.json`)))
    return;
  const args = ["stack", "select", "--create", STACK, "--non-interactive"];
  const code = await run("pulumi", args, { cwd: root, env: yard.env });
  if (code !== 0)
    throw new Error(`pulumi stack select --create ${STACK} ended with exit code ${code}; its output is above`);
}

/**
 * `make up`: the yard, the platform stack `dev` on it, and the runtimes of the examples. Everything that is there and
 * right already is left alone.
 */
export async function up(root: string): Promise<number> {
  const started = Date.now();
  const yard = await startYard();
  await makeStack(root, yard);

  await waitForUpdate(layoutOf(yard.directory).state, `stackyard/${STACK}`, (pid) => {
    say(`• Stack ${STACK}: an update of process ${pid} is still running; waiting`);
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
      STACK,
    ],
    { cwd: root, env: yard.env },
  );
  if (platform !== 0) return platform;
  const runtimes = await run("stackyard", ["runtime", "up", "-f", EXAMPLES], { cwd: root, env: yard.env });
  if (runtimes !== 0) return runtimes;
  const list = await run("stackyard", ["runtime", "list"], { cwd: root, env: yard.env });
  say(`✓ make up: ${duration(Date.now() - started)}. To look around: eval "$(make -s env)"`);
  return list;
}
