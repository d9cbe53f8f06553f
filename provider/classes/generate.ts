import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { RESOURCES } from "../resources/registry";
import { classText } from "./classText";

/** Files that are generated from the schemas of resources, with their content. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries(RESOURCES).map(async ([name, { schema, group = "" }]): Promise<[string, string]> => {
    const file = join("components/resources", group, `${name[0]?.toLowerCase() ?? ""}${name.slice(1)}.ts`);
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
