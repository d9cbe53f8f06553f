import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { stackFileSchema } from "./jsonSchema";
import { referencePage } from "./reference";

/** Files that are generated from the schema: path in the repository to content. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  return {
    "stackyard.schema.json": `${JSON.stringify(stackFileSchema(), null, 2)}\n`,
    "docs/config.md": await format(referencePage(), { parser: "markdown", printWidth: 120 }),
  };
}

async function main(): Promise<void> {
  const root = join(__dirname, "../../..");
  for (const [path, content] of Object.entries(await generated())) {
    writeFileSync(join(root, path), content);
    console.log(`wrote ${path}`);
  }
}

if (require.main === module) void main();
