import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { createHash } from "node:crypto";

/** A static file with its headers. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly tag: string;
}

const FILES = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/assets/page.css": ["page.css", "text/css; charset=utf-8"],
  ...Object.fromEntries(
    ["page", "api", "deployments", "operations", "details", "view", "elements"].map((name) => [
      `/assets/${name}.js`,
      [`${name}.js`, "text/javascript; charset=utf-8"] as const,
    ]),
  ),
} as const;

/** How a page at `from` calls another path, so that both may be below a prefix that a proxy removes. */
export const relativePath = (from: string, to: string): string => posix.relative(posix.dirname(from), to);

/** Returns the files of the status page by path. `endpoint` is the path of the API that the page calls. */
export function pageFiles(folder: string, endpoint: string): ReadonlyMap<string, Asset> {
  return new Map(
    Object.entries(FILES).map(([path, [file, type]]) => {
      const text = readFileSync(join(folder, file), "utf8").replaceAll("{{endpoint}}", relativePath("/", endpoint));
      const tag = `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`;
      return [path, { type, body: Buffer.from(text), tag }];
    }),
  );
}
