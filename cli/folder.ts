import { readdir } from "node:fs/promises";
import * as path from "node:path";

/** Returns the files in a folder by relative path with `/`, sorted; without entries whose name is in `skipped`. */
export async function filesIn(folder: string, skipped: ReadonlySet<string>, below = ""): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (skipped.has(entry.name)) return [];
      const name = path.posix.join(below, entry.name);
      if (entry.isDirectory()) return filesIn(folder, skipped, name);
      return entry.isFile() ? [name] : [];
    }),
  );
  return found.flat().sort();
}
