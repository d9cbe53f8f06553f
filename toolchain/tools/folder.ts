import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Tool } from "./table";

/** Description of a tool's folder. It is written last, so a folder with it is complete. */
interface Receipt {
  readonly source: string;
  /** For programs elsewhere on the machine: their state when they were found. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/**
 * Folder of a tool in the shared tools folder. Its name contains a hash of the tool's sources, so that checkouts with
 * different versions can coexist.
 */
export function toolFolder(tools: string, tool: Tool, root: string): string {
  const hash = createHash("sha256");
  for (const module of [...new Set(tool.builds.map((build) => build.module))].sort()) {
    const folder = path.join(root, "toolchain", "go", module);
    const others = fs.existsSync(folder) ? fs.readdirSync(folder).filter((file) => file.endsWith(".go")) : [];
    for (const file of new Set(["go.mod", "go.sum", "main.go", ...others.sort()])) {
      const source = path.join(folder, file);
      hash.update(`${module}/${file}\n`).update(fs.existsSync(source) ? fs.readFileSync(source) : "");
    }
  }
  for (const { launcher } of tool.builds) if (launcher) hash.update(launcher.script);
  return path.join(tools, `${tool.name}-${tool.version}-${hash.digest("hex").slice(0, 8)}`);
}

/** Identifies the state of a file; undefined if it does not exist. */
export function stampOf(file: string): string | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.size}/${found.mtimeMs}` : undefined;
}

function readReceipt(folder: string): Receipt | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, "receipt.json"), "utf8")) as Receipt;
  } catch {
    return undefined; // Missing, or truncated by a crash: not complete.
  }
}

/** Whether any of these tools had to be built because its release could not be downloaded. */
export function couldNotDownload(folders: readonly string[]): boolean {
  return folders.some((folder) => readReceipt(folder)?.source === "built from source");
}

/** Whether a tool's folder has all its programs, and programs elsewhere are unchanged. */
export function complete(folder: string, tool: Tool): boolean {
  const receipt = readReceipt(folder);
  if (!receipt) return false;
  return tool.programs.every((program) => {
    const stamp = stampOf(path.join(folder, program));
    const expected = receipt.elsewhere[program];
    return stamp !== undefined && (expected === undefined || expected === stamp);
  });
}

/** Moves a complete folder to its place atomically; an incomplete one at this place is moved away first. */
export function install(filled: string, folder: string, receipt: Receipt): void {
  fs.writeFileSync(path.join(filled, "receipt.json"), `${JSON.stringify(receipt, undefined, 2)}\n`);
  // Pods that run as processes start programs there as other users.
  fs.chmodSync(filled, 0o755);
  if (fs.existsSync(folder)) {
    const aside = `${filled}.old`;
    fs.renameSync(folder, aside);
    fs.rmSync(aside, { recursive: true, force: true });
  }
  fs.renameSync(filled, folder);
}
