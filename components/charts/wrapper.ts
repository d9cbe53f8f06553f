import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf } from "../../foundation/digest";
import { placeFolder } from "./place";
import type { ChartName } from "./table";

/** Folder of the placed charts, below the project folder. Recreated if anything is missing. */
export const CHARTS_FOLDER = "node_modules/.cache/stackyard/charts";

/**
 * Copies the wrapper chart with the upstream archive as its subchart to a folder named by the digest of both, and
 * returns its path. Releases use the copy, so their chart path changes exactly when the content does.
 */
export async function assemble(
  name: ChartName,
  version: string,
  { archive, folder, project }: { readonly archive: Buffer; readonly folder: string; readonly project: string },
): Promise<string> {
  const files = await readAll(folder);
  const hash = createHash("sha256").update(digestOf(archive));
  for (const [file, bytes] of files) hash.update(`\n${file} ${digestOf(bytes)}`);
  const path = `./${CHARTS_FOLDER}/${name}-${version}-${hash.digest("hex").slice(0, 12)}`;
  await placeFolder(join(project, path), [...files, [`charts/${name}-${version}.tgz`, archive]]);
  return path;
}

/** Reads the files of a chart by relative path, sorted. Skips charts that users fetched to `charts/`. */
async function readAll(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("charts/") && path !== "Chart.lock")
    .sort();
  return Promise.all(paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(join(folder, path))]));
}
