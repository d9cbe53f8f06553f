import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { version } from "../../package.json";
import { componentSchemas } from "../components/schema";
import { schema } from "../packageSchema";
import { RESOURCES } from "../resources/registry";
import { classText } from "./classText";

const versioned = { respectSchemaVersion: true };

/** Their SDKs have the version of the package. */
const LANGUAGES = {
  nodejs: versioned,
  python: { ...versioned, pyproject: { enabled: true } },
  go: versioned,
  csharp: versioned,
};

/** The provider does not read package.json: its bundle would have all of it. */
const VERSION = `/** Version of the package: \`npm run generate\` takes it from package.json. */\nexport const version = "${version}";\n`;

/** Files that are generated from the schemas of resources, with their content. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  const files = Object.entries(RESOURCES).map(async ([name, { schema, group = "" }]): Promise<[string, string]> => {
    const file = join("components/resources", group, `${name[0]?.toLowerCase() ?? ""}${name.slice(1)}.ts`);
    return [file, await format(classText(name, schema), { parser: "typescript", printWidth: 120 })];
  });
  const [schemaFile, versionFile] = ["provider/package.schema.json", "provider/version.ts"];
  return { ...Object.fromEntries(await Promise.all(files)), [schemaFile]: packageText(), [versionFile]: VERSION };
}

/** The schema of the package for programs: components, and the resources that mean something by themselves. */
function packageText(): string {
  const { types, resources, ...about } = JSON.parse(schema) as Record<"types" | "resources", Record<string, object>>;
  const components = componentSchemas();
  const own = Object.entries(resources).filter(([token]) => RESOURCES[token.split(":")[2]!]?.isPublic);
  const published = { ...(Object.fromEntries(own) as object), ...components.resources };
  const whole = {
    ...about,
    version,
    displayName: "Stackyard",
    publisher: "Stackyard",
    license: "Apache-2.0",
    // SDKs with a manifest of their own, such as go.mod.
    meta: { supportPack: true },
    language: LANGUAGES,
    types: usedTypes({ ...types, ...components.types }, published),
    resources: published,
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** The types that resources refer to, and those that these refer to: others are internal. */
function usedTypes(types: Readonly<Record<string, object>>, resources: object): object {
  const used = new Set<string>();
  const look = (value: object): void => {
    for (const [, token = ""] of JSON.stringify(value).matchAll(/"#\/types\/([^"]+)"/g)) {
      if (used.has(token)) continue;
      used.add(token);
      look(types[token]!);
    }
  };
  look(resources);
  return Object.fromEntries(Object.entries(types).filter(([token]) => used.has(token)));
}

if (require.main === module) {
  void generated().then((files) => {
    for (const [path, content] of Object.entries(files)) {
      writeFileSync(join(__dirname, "../..", path), content);
      console.log(`wrote ${path}`);
    }
  });
}
