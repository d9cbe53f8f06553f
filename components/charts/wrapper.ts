import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digestOf } from "./cache";
import { CHARTS, type ChartName } from "./table";

/** Where releases find their charts, below the project's folder. Filled anew whenever something is missing. */
export const CHARTS_FOLDER = "node_modules/.cache/stackyard/charts";

/**
 * A copy of the wrapper chart with the upstream archive as its subchart, in a folder named after the content of both;
 * answers its path. The copy is what a release is made from: its path changes exactly when it does.
 */
export async function assemble(name: ChartName, archive: Buffer, wrapper: string, project: string): Promise<string> {
  const files = await readAll(join(project, wrapper));
  const hash = createHash("sha256").update(digestOf(archive));
  for (const [file, bytes] of files) hash.update(`\n${file} ${digestOf(bytes)}`);
  const { version } = CHARTS[name];
  const path = `./${CHARTS_FOLDER}/${name}-${version}-${hash.digest("hex").slice(0, 12)}`;
  const target = join(project, path);
  const archived: [string, Buffer] = [`charts/${name}-${version}.tgz`, archive];
  if (await isThere(target, [...files, archived])) return path;

  const temporary = `${target}.${randomBytes(6).toString("hex")}`;
  await mkdir(join(temporary, "charts"), { recursive: true });
  for (const [file, bytes] of files) {
    await mkdir(dirname(join(temporary, file)), { recursive: true });
    await writeFile(join(temporary, file), bytes);
  }
  await writeFile(join(temporary, archived[0]), archive);
  // What is there has another content: somebody changed it after it was placed.
  await rm(target, { recursive: true, force: true });
  try {
    await rename(temporary, target);
  } catch (error) {
    // Another program was faster; what it made is the same.
    await rm(temporary, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return path;
}

/** Whether the folder has exactly these files. */
async function isThere(folder: string, wanted: readonly (readonly [string, Buffer])[]): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  if (found.filter((entry) => !entry.isDirectory()).length !== wanted.length) return false;
  const same = wanted.map(async ([file, bytes]) =>
    (await readFile(join(folder, file)).catch(() => undefined))?.equals(bytes),
  );
  return (await Promise.all(same)).every(Boolean);
}

/** The files of a chart by their path in it, sorted. What people fetched below `charts/` for themselves is no part of it. */
async function readAll(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("charts/") && path !== "Chart.lock")
    .sort();
  return Promise.all(paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(join(folder, path))]));
}
