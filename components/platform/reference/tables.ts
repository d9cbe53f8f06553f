import type { JsonSchema } from "./jsonSchema";

/** Tables of config keys, in Markdown. */

const escape = (text: string): string => text.replaceAll("|", "\\|");
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(escape).join(" | ")} |`).join("\n");

/** A short description of a value's type. */
function typeOf(schema: JsonSchema): string {
  if (schema.writeOnly === true) return `${typeOf(schema.anyOf?.[0] ?? {})}, secret`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const).replaceAll('"', "")}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(" or ");
  if (schema.type === "array") return "list";
  if (schema.anyOf?.every(({ const: one }) => one === undefined))
    return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  return schema.type === "integer" ? "whole number" : (schema.type ?? "object");
}

export function row(key: string, schema: JsonSchema, required: boolean): string[] {
  const plain = schema.default === undefined ? undefined : `\`${JSON.stringify(schema.default)}\``;
  return [`\`${key}\``, typeOf(schema), required ? "required" : (plain ?? ""), schema.description ?? ""];
}

export const HEAD = ["key", "type", "default", "description"];

/** All fields of an object. Nested fields have dotted keys, so that one table is complete. */
export function rows(schema: JsonSchema, prefix = "", omit: readonly string[] = []): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    if (omit.includes(key)) return [];
    const nested =
      field.type === "array" ? rows(field.items ?? {}, `${prefix}${key}[].`) : rows(field, `${prefix}${key}.`);
    return [row(`${prefix}${key}`, field, required.has(key)), ...nested];
  });
}

/** A section for each variant of an object that is discriminated by `type`. */
export function variants(key: string, schema: JsonSchema): string {
  return (schema.oneOf ?? [])
    .map((variant) => {
      const { const: type, description = "" } = variant.properties?.["type"] ?? {};
      return `\n### ${key} of type \`${String(type)}\`\n\n${description}\n\n${table(HEAD, rows(variant))}\n`;
    })
    .join("");
}

export const valuesOf = (schema: JsonSchema): JsonSchema =>
  typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
