import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { runtimeShape } from "./deployment";

/** Path of the generated JSON Schema in the repository. */
export const SCHEMA_FILE = "runtime/stackyard-runtime.schema.json";

/** JSON Schema of a runtime stack's file `Pulumi.<id>.yaml`, for editors. */
function stackFileSchema(): object {
  const { properties = {}, required = [] } = z.toJSONSchema(z.strictObject(runtimeShape), {
    io: "input",
    target: "draft-7",
  });
  const names = Object.keys(properties);
  const prefixed = (name: string): string => `stackyard-runtime:${name}`;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Stack of the project stackyard-runtime",
    description: "Config of a runtime stack. `pulumi preview` also checks what a schema can't express.",
    type: "object",
    properties: {
      config: {
        type: "object",
        description: "Config by namespace and key; `stackyard-runtime:` is the runtime's.",
        properties: Object.fromEntries(names.map((name) => [prefixed(name), properties[name]])),
        required: required.map(prefixed),
        patternProperties: {
          [`^stackyard-runtime:(?!(${names.join("|")})$)`]: { not: {}, description: "An unknown key." },
        },
      },
    },
  };
}

/** Content of the schema file. */
export const schemaText = (): string => `${JSON.stringify(stackFileSchema(), null, 2)}\n`;

if (require.main === module) {
  writeFileSync(join(__dirname, "../..", SCHEMA_FILE), schemaText());
  console.log(`wrote ${SCHEMA_FILE}`);
}
