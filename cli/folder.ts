import { readdir } from "node:fs/promises";
import * as path from "node:path";

/** The files of a folder by their relative paths with `/`, in their order; nothing of entries with a `skipped` name. */
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
