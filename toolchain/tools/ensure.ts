import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { ChecksumMismatch, Unreachable, download, reachable } from "../bootstrap/download.js";
import { withLock } from "../bootstrap/lock.js";
import { toolsFolder } from "../bootstrap/paths.js";
import { say, step } from "../bootstrap/progress.js";
import { buildProgram, buildsAtOnce } from "./build";
import { complete, install, stampOf, toolFolder } from "./folder";
import { findPresent } from "./present";
import { TOOLS, type Platform, type Tool, type Archive } from "./table";

const run = promisify(execFile);

/** Returns the first host that is unreachable. All hosts are checked at the same time, and only once per run. */
async function unreachableHost(archives: readonly Archive[]): Promise<string | undefined> {
  const urls = archives.flatMap(({ url, checksums }) => [url, checksums]);
  const answers = await Promise.all(urls.map(async (url) => ({ host: new URL(url).host, ok: await reachable(url) })));
  return answers.find(({ ok }) => !ok)?.host;
}

async function takeOne(archive: Archive, folder: string): Promise<void> {
  const file = path.join(folder, `${path.basename(new URL(archive.url).pathname)}.download`);
  await download({ url: archive.url, checksums: archive.checksums, target: file });
  if (!archive.url.endsWith(".tar.gz")) {
    const [program = ""] = Object.keys(archive.programs);
    fs.chmodSync(file, 0o755);
    fs.renameSync(file, path.join(folder, program));
    return;
  }
  const unpacked = `${file}.unpacked`;
  fs.mkdirSync(unpacked);
  await run("tar", ["-xzf", file, "-C", unpacked]);
  for (const [program, inside] of Object.entries(archive.programs)) {
    const source = path.join(unpacked, inside);
    if (!fs.existsSync(source))
      throw new Error(`${archive.url} has no file ${inside}; expected the program ${program} there`);
    fs.chmodSync(source, 0o755);
    fs.renameSync(source, path.join(folder, program));
  }
  fs.rmSync(unpacked, { recursive: true });
  fs.rmSync(file);
}

/** Downloads and verifies archives in parallel, and extracts their programs to the folder. */
async function takeArchives(archives: readonly Archive[], folder: string): Promise<void> {
  await Promise.all(archives.map((archive) => takeOne(archive, folder)));
}

/** Locations of the installed tools. */
export interface Tools {
  readonly folders: readonly string[];
  /** The folders for PATH. */
  readonly path: readonly string[];
  /** Path of each program. */
  readonly programs: Readonly<Record<string, string>>;
}

/** The ways to get a tool; tests replace them. */
export interface Ways {
  present(tool: Tool): Promise<Record<string, string> | undefined>;
  /** Returns false if the archive is unavailable, after reporting the reason. */
  archive(tool: Tool, folder: string): Promise<boolean>;
  build(tool: Tool, folder: string): Promise<void>;
}

function currentPlatform(): Platform {
  return { os: process.platform, arch: process.arch === "x64" ? "amd64" : process.arch };
}

async function fromArchives(tool: Tool, folder: string): Promise<boolean> {
  const archives = tool.archives(currentPlatform());
  if (archives.length === 0) return false;
  const host = await unreachableHost(archives);
  if (host !== undefined) {
    say(`  ${tool.title}: ${host} cannot be reached from here; building from source instead`);
    return false;
  }
  try {
    await step(`${tool.title} ${tool.version}: downloading the official release`, "about 1 min", () =>
      takeArchives(archives, folder),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof ChecksumMismatch)) throw error;
    say(`  ${error.message}; building from source instead`);
    return false;
  }
}

/** Queues builds in order, with as many at once as the memory allows. */
function buildQueue(root: string): (tool: Tool, folder: string) => Promise<void> {
  let free = buildsAtOnce();
  const waiting: (() => void)[] = [];
  return async (tool, folder) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const title = `${tool.title} ${tool.version}: building from its Go module`;
      await step(title, `about ${tool.buildMinutes} min on 2 cores with nothing cached`, async () => {
        for (const build of tool.builds) await buildProgram(build, root, folder);
      });
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** The ways outside of tests. */
function realWays(root: string): Ways {
  return { present: (tool) => findPresent(tool, process.env), archive: fromArchives, build: buildQueue(root) };
}

async function fill(tool: Tool, folder: string, ways: Ways): Promise<void> {
  const temporary = fs.mkdtempSync(`${folder}.new-`);
  try {
    const found = await ways.present(tool);
    if (found) {
      say(`• ${tool.title} ${tool.version}: found on this machine`);
      const elsewhere: Record<string, string> = {};
      for (const [program, file] of Object.entries(found)) {
        fs.symlinkSync(fs.realpathSync(file), path.join(temporary, program));
        elsewhere[program] = stampOf(file) ?? "";
      }
      install(temporary, folder, { source: "found on the machine", elsewhere });
      return;
    }
    const downloaded = await ways.archive(tool, temporary);
    if (!downloaded) await ways.build(tool, temporary);
    install(temporary, folder, { source: downloaded ? "official release" : "built from source", elsewhere: {} });
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

async function ensureTool(tool: Tool, folder: string, ways: Ways): Promise<void> {
  if (complete(folder, tool)) return;
  await withLock(
    `${folder}.lock`,
    async () => {
      // Another process may have installed it while this one waited for the lock.
      if (!complete(folder, tool)) await fill(tool, folder, ways);
    },
    (holder) => say(`• ${tool.title}: process ${holder} is installing it; waiting`),
  );
}

/**
 * Installs every missing tool and returns the locations of all tools; takes a few file lookups if nothing is missing.
 * Safe for concurrent checkouts. Throws the first failure after all others have ended.
 */
export async function ensureTools(
  root: string,
  tools: readonly Tool[] = TOOLS,
  options: { readonly folder?: string; readonly ways?: Ways } = {},
): Promise<Tools> {
  const base = options.folder ?? toolsFolder();
  const ways = options.ways ?? realWays(root);
  const folders = tools.map((tool) => toolFolder(base, tool, root));
  const results = await Promise.allSettled(tools.map((tool, index) => ensureTool(tool, folders[index] ?? "", ways)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  const programs = tools.flatMap((tool, index) =>
    tool.programs.map((program): [string, string] => [program, path.join(folders[index] ?? "", program)]),
  );
  const onPath = folders.filter((_, index) => !tools[index]?.plugin);
  return { folders, path: onPath, programs: Object.fromEntries(programs) };
}
