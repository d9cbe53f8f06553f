import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Returns the cache folder for one kind of download, shared by all checkouts of a user:
 * `$XDG_CACHE_HOME/stackyard/<name>`, or `~/.cache/stackyard/<name>`.
 */
export function cacheFolder(name: string): string {
  const given = process.env["XDG_CACHE_HOME"];
  const cache = given !== undefined && isAbsolute(given) ? given : join(homedir(), ".cache");
  return join(cache, "stackyard", name);
}
