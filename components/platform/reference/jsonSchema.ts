import * as z from "zod";
import { platformSchema, platformShape } from "../config/schema";

/** The parts of a JSON Schema that this code reads. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string;
  description?: string;
  /** True for a secret. */
  writeOnly?: boolean;
  /** Pattern of a string that may replace the object. */
  orText?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

/** A value that `pulumi config set --secret` has encrypted. */
const ENCRYPTED: JsonSchema = {
  type: "object",
  description: "An encrypted value, written by `pulumi config set --secret`.",
  properties: { secure: { type: "string" } },
  required: ["secure"],
  additionalProperties: false,
};

/** JSON Schemas of the values in the `stackyard:` namespace, by key. */
export function keySchemas(): Record<string, JsonSchema> {
  const schema = z.toJSONSchema(platformSchema, {
    io: "input",
    target: "draft-7",
    override: ({ jsonSchema }) => {
      const { writeOnly, orText, description, ...plain } = jsonSchema as JsonSchema;
      // A wrapper such as optional has the keywords of what it wraps.
      if ((writeOnly !== true && orText === undefined) || plain.anyOf?.includes(ENCRYPTED) === true) return;
      for (const keyword of Object.keys(jsonSchema)) delete (jsonSchema as JsonSchema)[keyword];
      const other: JsonSchema = orText === undefined ? ENCRYPTED : { type: "string", pattern: orText };
      Object.assign(jsonSchema, { description, writeOnly, anyOf: [plain, other] });
    },
  }) as JsonSchema;
  return schema.properties ?? {};
}

/** The required keys of a stack. */
export function requiredKeys(): string[] {
  return Object.entries(platformShape).flatMap(([key, field]) => (field.safeParse(undefined).success ? [] : [key]));
}

/** JSON Schema of a stack file `Pulumi.<stack>.yaml`, for editors. */
export function stackFileSchema(): JsonSchema {
  const { terasliceClusters, ...others } = keySchemas();
  // Avoids a second copy of the largest schema.
  const same: JsonSchema = { $ref: "#/properties/config/properties/stackyard:teraslice" };
  const keys: Record<string, JsonSchema> = {
    ...others,
    terasliceClusters: { ...terasliceClusters, additionalProperties: same },
  };
  const names = Object.keys(platformShape);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Stack of the project stackyard",
    description:
      "Config of a platform stack. `pulumi preview` also checks what a schema can't express, such as files that must exist.",
    type: "object",
    properties: {
      config: {
        type: "object",
        description: "Config by namespace and key; `stackyard:` is the platform's.",
        properties: Object.fromEntries(names.map((name) => [`stackyard:${name}`, keys[name] ?? {}])),
        required: requiredKeys().map((name) => `stackyard:${name}`),
        patternProperties: { [`^stackyard:(?!(${names.join("|")})$)`]: { not: {}, description: "An unknown key." } },
      },
    },
  };
}
