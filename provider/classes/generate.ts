import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { componentSchemas } from "../components/schema";
import { schema } from "../packageSchema";
import { RESOURCES } from "../resources/registry";
import { classText } from "./classText";

/** Whose SDKs have the version of the package. */
const LANGUAGES = ["nodejs", "python", "go", "csharp"];

/** Files that are generated from the schemas of resources, with their content. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries(RESOURCES).map(async ([name, { schema, group = "" }]): Promise<[string, string]> => {
    const file = join("components/resources", group, `${name[0]?.toLowerCase() ?? ""}${name.slice(1)}.ts`);
    return [file, await format(classText(name, schema), { parser: "typescript", printWidth: 120 })];
  });
  return { ...Object.fromEntries(await Promise.all(files)), "provider/package.schema.json": packageText() };
}

/** The schema of the package for programs: components, and the resources that mean something by themselves. */
function packageText(): string {
  const { types, resources, ...about } = JSON.parse(schema) as { types: object; resources: object };
  const components = componentSchemas();
  const own = Object.entries(resources).filter(([token]) => RESOURCES[token.split(":")[2]!]?.isPublic);
  const whole = {
    ...about,
    displayName: "Stackyard",
    publisher: "Stackyard",
    license: "Apache-2.0",
    language: Object.fromEntries(LANGUAGES.map((language) => [language, { respectSchemaVersion: true }])) as object,
    types: { ...types, ...components.types },
    resources: { ...(Object.fromEntries(own) as object), ...components.resources },
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

if (require.main === module) {
  void generated().then((files) => {
    for (const [path, content] of Object.entries(files)) {
      writeFileSync(join(__dirname, "../..", path), content);
      console.log(`wrote ${path}`);
    }
  });
}
