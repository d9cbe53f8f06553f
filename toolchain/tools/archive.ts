import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { download, reachable } from "../bootstrap/download";
import type { Archive } from "./table";

const run = promisify(execFile);

/** Returns the first host that is unreachable. All hosts are checked at the same time, and only once per run. */
export async function unreachableHost(archives: readonly Archive[]): Promise<string | undefined> {
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
export async function takeArchives(archives: readonly Archive[], folder: string): Promise<void> {
  await Promise.all(archives.map((archive) => takeOne(archive, folder)));
}
