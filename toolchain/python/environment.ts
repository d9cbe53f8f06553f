import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { withLock } from "../bootstrap/lock";
import { toolsFolder } from "../bootstrap/paths";
import { say, step } from "../bootstrap/progress";

const run = promisify(execFile);

/** The oldest supported Python version. */
const OLDEST = [3, 10] as const;

/** A Python with the packages of a lock, or the reason why this machine has none. */
type PythonEnvironment = { readonly python: string } | { readonly missing: string };

/**
 * Returns a virtual environment with exactly the packages of `toolchain/python/locks/<name>.txt`, verified by digest.
 * It is created once in the tools folder, and then used offline. Used by tests that call Python programs.
 */
export async function pythonEnvironment(name: string, root: string): Promise<PythonEnvironment> {
  const found = await findPython();
  if (found === undefined) {
    return { missing: `no python3 of version ${OLDEST.join(".")} or newer with venv on PATH` };
  }
  const lock = path.join(root, "toolchain", "python", "locks", `${name}.txt`);
  const hash = createHash("sha256").update(readFileSync(lock)).update(found.version).digest("hex").slice(0, 12);
  const folder = path.join(toolsFolder(), `python-${name}-${hash}`);
  const python = path.join(folder, "bin", "python");
  const receipt = path.join(folder, "receipt");
  await mkdir(path.dirname(folder), { recursive: true });
  const wait = (holder: string): void => say(`• Python packages of ${name}: ${holder} is installing them; waiting`);
  if (existsSync(receipt)) return { python };
  await withLock(
    `${folder}.lock`,
    async () => {
      if (existsSync(receipt)) return;
      // Removes the rest of an interrupted run. A virtual environment contains absolute paths, so it can't be created
      // elsewhere and moved.
      rmSync(folder, { recursive: true, force: true });
      await step(`Python packages of ${name}`, "about 1 min", async () => {
        await report(found.command, "-m", "venv", folder);
        await report(python, "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "-r", lock);
      });
      writeFileSync(receipt, `${found.version}\n`);
    },
    wait,
  );
  return { python };
}

/** Fails with the last lines of the output. */
async function report(command: string, ...args: string[]): Promise<void> {
  try {
    await run(command, args, { maxBuffer: 1e8 });
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { stderr?: string; stdout?: string };
    const words = `${stdout}${stderr}`.trim().split("\n").slice(-5).join("\n");
    throw new Error(`${command} ${args.slice(0, 3).join(" ")} failed:\n${words}`, { cause: error });
  }
}

async function findPython(): Promise<{ command: string; version: string } | undefined> {
  for (const command of ["python3", "python"]) {
    try {
      const program = "import sys, venv, ensurepip; print('%d.%d.%d' % sys.version_info[:3])";
      const version = (await run(command, ["-c", program])).stdout.trim();
      if (isNewEnough(version)) return { command, version };
    } catch {
      // Missing, or without the modules that a virtual environment needs.
    }
  }
  return undefined;
}

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === OLDEST[0] && minor >= OLDEST[1];
}
