import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import type { ResourceSchema } from "../framework/resourceSchema";
import { RESOURCES } from "../packageSchema";
import { classText } from "./classText";

/** Folders in `components/resources/` for groups of resources. */
const FOLDERS: Readonly<Record<string, string>> = {
  DirectorRuntime: "gardener/",
  KymaInstallation: "gardener/",
  LoadBalancerGuard: "guard/",
  RuntimeAgent: "gardener/",
  Shoot: "gardener/",
};

/** Files that are generated from the schemas of resources, with their content. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries<ResourceSchema>(RESOURCES).map(async ([name, schema]): Promise<[string, string]> => {
    const file = `components/resources/${FOLDERS[name] ?? ""}${name[0]?.toLowerCase() ?? ""}${name.slice(1)}.ts`;
    return [file, await format(classText(name, schema), { parser: "typescript", printWidth: 120 })];
  });
  return Object.fromEntries(await Promise.all(files));
}

if (require.main === module) {
  void generated().then((files) => {
    for (const [path, content] of Object.entries(files)) {
      writeFileSync(join(__dirname, "../..", path), content);
      console.log(`wrote ${path}`);
    }
  });
}
