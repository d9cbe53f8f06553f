import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

/**
 * A folder with the project of the runtimes, whose programs are those of the checkout in `root`. The engine looks for stack
 * files beside its project and writes them there: a checkout's are their authors', and say nothing to a service.
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
