import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Tool } from "./table";

/** What a tool's folder says about itself: written last, so a folder with it is complete. */
export interface Receipt {
  readonly source: string;
  /** For programs that lie elsewhere on the machine: what they were when they were found. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/**
 * Folder of a tool in the shared tools folder. Its name carries what the tool is made of, so that checkouts
 * which pin different versions live side by side.
 */
export function toolFolder(tools: string, tool: Tool, root: string): string {
  const hash = createHash("sha256");
  for (const module of [...new Set(tool.builds.map((build) => build.module))].sort()) {
    for (const file of ["go.mod", "go.sum", "main.go"]) {
      const source = path.join(root, "toolchain", "go", module, file);
      hash.update(`${module}/${file}\n`).update(fs.existsSync(source) ? fs.readFileSync(source) : "");
    }
  }
  for (const { launcher } of tool.builds) if (launcher) hash.update(launcher.script);
  return path.join(tools, `${tool.name}-${tool.version}-${hash.digest("hex").slice(0, 8)}`);
}

/** What distinguishes one state of a file from another; undefined when it isn't there. */
export function stampOf(file: string): string | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? `${found.size}/${found.mtimeMs}` : undefined;
}

function readReceipt(folder: string): Receipt | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, "receipt.json"), "utf8")) as Receipt;
  } catch {
    return undefined; // Not there, or cut off by a crash of the machine: either way not complete.
  }
}

/** Whether any of these tools had to be built because its release could not be downloaded. */
export function couldNotDownload(folders: readonly string[]): boolean {
  return folders.some((folder) => readReceipt(folder)?.source === "built from source");
}

/** Whether a tool's folder has all its programs, and those that lie elsewhere are still the same files. */
export function complete(folder: string, tool: Tool): boolean {
  const receipt = readReceipt(folder);
  if (!receipt) return false;
  return tool.programs.every((program) => {
    const stamp = stampOf(path.join(folder, program));
    const expected = receipt.elsewhere[program];
    return stamp !== undefined && (expected === undefined || expected === stamp);
  });
}

/** Puts a filled folder in its place in one step; an incomplete one that stands there is moved out of the way first. */
export function install(filled: string, folder: string, receipt: Receipt): void {
  fs.writeFileSync(path.join(filled, "receipt.json"), `${JSON.stringify(receipt, undefined, 2)}\n`);
  if (fs.existsSync(folder)) {
    const aside = `${filled}.old`;
    fs.renameSync(folder, aside);
    fs.rmSync(aside, { recursive: true, force: true });
  }
  fs.renameSync(filled, folder);
}
