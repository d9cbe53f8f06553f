import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dump } from "js-yaml";

/** Writes these objects as the bundle called `name` below a folder. Answers the source that has it. */
export function bundleFolder(folder: string, name: string, ...objects: object[]): { type: "local"; path: string } {
  const manifests = path.join(folder, name, "manifests");
  mkdirSync(manifests, { recursive: true });
  writeFileSync(path.join(manifests, "all.yaml"), objects.map((each) => dump(each)).join("---\n"));
  return { type: "local", path: path.join(folder, name) };
}
