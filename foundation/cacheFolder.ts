import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Folder of one kind of downloads, for all checkouts of one user: `$XDG_CACHE_HOME/stackyard/<name>`, else `~/.cache/stackyard/<name>`. */
export function cacheFolder(name: string): string {
  const given = process.env["XDG_CACHE_HOME"];
  const cache = given !== undefined && isAbsolute(given) ? given : join(homedir(), ".cache");
  return join(cache, "stackyard", name);
}
