import * as path from "node:path";
import { fileURLToPath } from "node:url";

/** Resolves a `file://` URL. Unlike Node's, the CLI's may be relative (`file://./state`, `file://~`). */
export function folderOfUrl(url: string, base: string, home = process.env.HOME ?? ""): string {
  const rest = url.slice("file://".length).split("?")[0] ?? "";
  if (rest === "~" || rest.startsWith("~/")) return path.join(home, rest.slice(1));
  return rest.startsWith("/") ? fileURLToPath(`file://${rest}`) : path.resolve(base, rest);
}
