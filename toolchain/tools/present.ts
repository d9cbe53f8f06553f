import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import type { Tool } from "./table";

const run = promisify(execFile);

/** Whether a file is a binary and not a script, for example a launcher that would download the program. */
function isBinary(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    const handle = fs.openSync(file, "r");
    try {
      const start = Buffer.alloc(2);
      return fs.readSync(handle, start, 0, 2, 0) === 2 && start.toString("latin1") !== "#!";
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return false; // Missing, or not readable.
  }
}

/** The first binary of this name on PATH. */
function onPath(program: string, searchPath: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, program))
    .find((file) => isBinary(file));
}

async function answers(file: string, args: readonly string[], answer: string): Promise<boolean> {
  try {
    const { stdout, stderr } = await run(file, [...args], { timeout: 5000 });
    return `${stdout}\n${stderr}`.includes(answer);
  } catch {
    return false; // A program that can't report its version is not the right one.
  }
}

/** Returns all programs of a tool from one folder; undefined if one is missing. */
function allIn(folder: string, tool: Tool): Record<string, string> | undefined {
  const files = Object.fromEntries(tool.programs.map((program) => [program, path.join(folder, program)]));
  return Object.values(files).every((file) => isBinary(file)) ? files : undefined;
}

/**
 * Returns the programs of a tool that are already on the machine at the pinned version: in Pulumi's own folders, whose
 * names contain the version, or on PATH, where they report it. Undefined if a program is missing or has another
 * version.
 */
export async function findPresent(tool: Tool, env: NodeJS.ProcessEnv): Promise<Record<string, string> | undefined> {
  const homes = [...new Set([env.PULUMI_HOME, path.join(os.homedir(), ".pulumi")])].filter(
    (home) => home !== undefined,
  );
  for (const folder of tool.present.pulumiFolders ?? []) {
    for (const home of homes) {
      const found = allIn(path.join(home, folder), tool);
      if (found) return found;
    }
  }
  const probes = tool.present.probes;
  if (!probes) return undefined;

  const found: Record<string, string> = {};
  for (const { program, args, answer } of probes) {
    const file = onPath(program, env.PATH ?? "");
    if (file === undefined || !(await answers(file, args, answer))) return undefined;
    found[program] = file;
  }
  // Programs that can't report a version must be next to the one that did.
  const beside = path.dirname(found[probes[0]?.program ?? ""] ?? "");
  for (const program of tool.programs) {
    if (found[program]) continue;
    const file = path.join(beside, program);
    if (!isBinary(file)) return undefined;
    found[program] = file;
  }
  return found;
}
