import { readFileSync } from "node:fs";
import * as path from "node:path";
import { load } from "js-yaml";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import { isObject } from "../../foundation/json/isObject";

/** The nearest folder with a platform's project, from this one upward; this one if there is none. */
export function projectFolder(from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (nameIn(folder) === PLATFORM_PROJECT) return folder;
    if (folder === path.dirname(folder)) return from;
  }
}

function nameIn(folder: string): unknown {
  try {
    const project = load(readFileSync(path.join(folder, "Pulumi.yaml"), "utf8"));
    return isObject(project) ? project["name"] : undefined;
  } catch {
    return undefined; // There is none, or Pulumi reports what is wrong with it.
  }
}
