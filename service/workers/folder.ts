import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

/**
 * Creates a folder with the runtimes' project, whose programs come from the checkout in `root`. The engine reads and
 * writes stack files next to its project. The checkout's own stack files belong to its authors, and must not affect the
 * service.
 */
export function projectFolder(root: string): { readonly folder: string; readonly remove: () => void } {
  const home = path.join(root, "runtime");
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-service-"));
  const text = readFileSync(path.join(home, "Pulumi.yaml"), "utf8")
    .replace(/^main: (.*)$/m, (_, main: string) => `main: ${path.join(home, main)}`)
    .replace(/^( +path: )(\..*)$/gm, (_, key: string, place: string) => `${key}${path.join(home, place)}`);
  writeFileSync(path.join(folder, "Pulumi.yaml"), text, { mode: 0o600 });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
