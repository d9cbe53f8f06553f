/** The reference of the package's components and resources in all languages, from its schema. Pure. */

interface Value {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Value;
  readonly additionalProperties?: Value;
  readonly oneOf?: readonly Value[];
}

interface Property extends Value {
  readonly description?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly deprecationMessage?: string;
}

type Properties = Readonly<Record<string, Property>>;

interface TypeDefinition {
  readonly description?: string;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: unknown }[];
}

export interface PackageSchema {
  readonly types: Readonly<Record<string, TypeDefinition>>;
  readonly resources: Readonly<
    Record<
      string,
      TypeDefinition & {
        readonly isComponent?: boolean;
        readonly inputProperties?: Properties;
        readonly requiredInputs?: readonly string[];
      }
    >
  >;
}

const nameOf = (token: string): string => token.split(":").at(-1) ?? token;
const refOf = (reference: string): string => reference.replace("#/types/", "");
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** Name of a property in Python, as Pulumi's generator makes it. */
export const pythonName = (name: string): string =>
  name
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();

/** All types that a value names, each once. */
function refsIn(value: unknown, found: Set<string>, schema: PackageSchema): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const reference = key === "$ref" && typeof inner === "string" ? refOf(inner) : undefined;
    if (reference === undefined) refsIn(inner, found, schema);
    else if (!found.has(reference)) refsIn(schema.types[reference]?.properties, found.add(reference), schema);
  }
  return found;
}

function typeOf(value: Value, schema: PackageSchema): string {
  if (value.$ref !== undefined) {
    const reference = refOf(value.$ref);
    const values = schema.types[reference]?.enum?.map((one) => `\`${String(one.value)}\``);
    const name = nameOf(reference);
    return values?.join(" or ") ?? (schema.types[reference] ? `[${name}](#${name.toLowerCase()})` : name);
  }
  if (value.oneOf !== undefined) return value.oneOf.map((one) => typeOf(one, schema)).join(" or ");
  if (value.items !== undefined) return `list of ${typeOf(value.items, schema)}`;
  if (value.additionalProperties !== undefined) return `map of ${typeOf(value.additionalProperties, schema)}`;
  return value.type === "object" ? "map" : (value.type ?? "any");
}

function rows(properties: Properties, required: readonly string[], schema: PackageSchema): string {
  const lines = Object.entries(properties).map(([name, one]) => {
    const python = pythonName(name);
    const names = python === name ? `\`${name}\`` : `\`${name}\`<br>\`${python}\``;
    const given = one.default === undefined ? "" : `Default: \`${JSON.stringify(one.default)}\`.`;
    const notes = [
      one.deprecationMessage,
      one.description,
      given,
      one.secret ? "Secret." : "",
      one.willReplaceOnChanges ? "A change replaces the resource." : "",
    ];
    const type = `${typeOf(one, schema)}${required.includes(name) ? ", required" : ""}`;
    return `| ${names} | ${cell(type)} | ${cell(notes.filter(Boolean).join(" "))} |`;
  });
  return ["| name | type | description |", "| --- | --- | --- |", ...lines, ""].join("\n");
}

/** The page of each resource by its name, and `index`, in a folder beside the pages of docs/. */
export function componentPages(schema: PackageSchema): Map<string, string> {
  const pages = new Map<string, string>();
  const lists: Record<"components" | "resources", string[]> = { components: [], resources: [] };
  for (const [token, resource] of Object.entries(schema.resources)) {
    const name = nameOf(token);
    const { description = "", inputProperties = {}, requiredInputs = [], properties = {}, required = [] } = resource;
    const types = [...refsIn([inputProperties, properties], new Set(), schema)].filter(
      (reference) => schema.types[reference] && !schema.types[reference].enum,
    );
    const outputs = Object.fromEntries(Object.entries(properties).filter(([key]) => !(key in inputProperties)));
    lists[resource.isComponent ? "components" : "resources"].push(`- [${name}](${name}.md): ${description}`);
    const text = [
      `# ${name}\n\n${description}\n`,
      "| Node.js, Python | Go | YAML |\n| --- | --- | --- |",
      `| \`stackyard.${name}\` | \`stackyard.New${name}\` | \`stackyard:${name}\` |\n`,
      `## Arguments\n\n${rows(inputProperties, requiredInputs, schema)}`,
      Object.keys(outputs).length > 0 ? `## Outputs\n\n${rows(outputs, required, schema)}` : "",
      types.length > 0 ? "## Types\n" : "",
      ...types.map((reference) => {
        const { description: about = "", properties: fields = {}, required: needed = [] } = schema.types[reference]!;
        return `### ${nameOf(reference)}\n\n${about}\n\n${rows(fields, needed, schema)}`;
      }),
    ];
    pages.set(
      name,
      text
        .filter(Boolean)
        .join("\n")
        .replace(/\]\((?=[a-z-]+\.md)/g, "](../"),
    );
  }
  const intro = "# Package reference\n\n[How programs use it](../components.md), in every language. ";
  const names =
    "Names of arguments are those of Node.js and YAML, then of Python where it differs; Go has them with a capital letter.\n";
  const list = (of: readonly string[]): string => `${of.join("\n")}\n`;
  const lines = [
    `${intro}${names}`,
    "## Components\n",
    list(lists.components),
    "## Resources\n",
    list(lists.resources),
  ];
  return pages.set("index", lines.join("\n"));
}
