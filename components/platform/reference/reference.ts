import type { ReferenceSection, OutputDoc } from "../../contract/facts";
import type { Feature } from "../../feature";
import { FEATURES } from "../../features";
import { keySchemas, requiredKeys, type JsonSchema } from "./jsonSchema";

/** Tables of config keys, in Markdown. */

const escape = (text: string): string => text.replaceAll("|", "\\|");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
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

function row(key: string, schema: JsonSchema, required: boolean): string[] {
  const plain = schema.default === undefined ? undefined : `\`${JSON.stringify(schema.default)}\``;
  return [`\`${key}\``, typeOf(schema), required ? "required" : (plain ?? ""), schema.description ?? ""];
}

const HEAD = ["key", "type", "default", "description"];

/** Where a page lists the fields of an object for the first time, by these fields. */
type Listed = Map<string, string>;

/**
 * All fields of an object. Nested fields have dotted keys, so that one table is complete; fields that the page has
 * already are named by the place where it has them. `at`: where the table's keys begin.
 */
function rows(at: string, schema: JsonSchema, listed: Listed, prefix = "", omit: readonly string[] = []): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    if (omit.includes(key)) return [];
    const [inner, name] =
      field.type === "array" ? [field.items ?? {}, `${prefix}${key}[]`] : [field, `${prefix}${key}`];
    const own = row(`${prefix}${key}`, field, required.has(key));
    const same = JSON.stringify([inner.properties, inner.required]);
    const before = listed.get(same);
    if (before !== undefined) return [[...own.slice(0, -1), `${own.at(-1)} Fields as in \`${before}\`.`.trim()]];
    const nested = rows(at, inner, listed, `${name}.`);
    if (nested.length > 1) listed.set(same, `${at}.${name}`);
    return [own, ...nested];
  });
}

/** A section for each variant of an object that is discriminated by `type`. */
function variants(at: string, key: string, schema: JsonSchema, listed: Listed): string {
  return (schema.oneOf ?? [])
    .map((variant) => {
      const { const: only, enum: types = [only], description = "" } = variant.properties?.["type"] ?? {};
      return `\n### ${key} of type ${types.map((type) => `\`${String(type)}\``).join(" or ")}\n\n${description}\n\n${table(HEAD, rows(at, variant, listed))}\n`;
    })
    .join("");
}

const valuesOf = (schema: JsonSchema): JsonSchema =>
  typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};

const SKIPPED: OutputDoc = {
  name: "skipped",
  secret: false,
  sometimes: true,
  description: "Optional components that the last update skipped, with the reason. Absent if there are none.",
};

/** The outputs of `index.ts`, for the table in the docs. */
export const OUTPUTS: readonly OutputDoc[] = [...FEATURES.flatMap(({ outputs = [] }) => outputs), SKIPPED];

const INTRO = `# Config of a platform stack

<!-- Generated from components/provisioners/config/schema.ts by \`npx tsx components/platform/reference/generate.ts\`; a test keeps it true. -->

The config is in \`Pulumi.<stack>.yaml\`. Everything in it is checked before anything is created: unknown keys, invalid values, names that
are not in the set, files that can't be read, contexts that a kubeconfig does not have. All faults are reported at once:

\`\`\`text
stackyard:provisioners.eu.spec.timeoutSeconds: found "5m"; expected a whole number of seconds from 1 to 86400
stackyard:provisioners.us.spec.data_dir: found an unknown key; expected one of kubeconfig, cluster, …; did you mean dataDir
stackyard:defaultProvisioner: found "ue"; expected one of eu, us; did you mean eu
\`\`\`

Editors complete the keys and show faults while you type, with this first line of a stack file:
\`# yaml-language-server: $schema=./stackyard.schema.json\`

Relative paths start in the project's folder. A kubeconfig is read when the platform is updated; certificates and tokens that
it names as files are embedded, and only the chosen context is kept. Runtime stacks get it through the platform's outputs,
encrypted, and need no file.

Secrets are set with \`pulumi config set --secret ledger <url>\` or, inside an object,
\`pulumi config set --secret --path 'provisioners.eu.spec.kubeconfig.content' < kubeconfig\`. No message shows them.
`;

/** Keys that concern all features. */
const BASE: readonly ReferenceSection[] = [
  { title: "Charts", intro: "[More about charts](charts.md).", at: ["charts"] },
  { title: "Images", intro: "[More about mirrors](charts.md#mirrors).", at: ["images"] },
];

/** Generates the page `docs/config.md`. */
export function referencePage(): string {
  const keys = keySchemas();
  const required = new Set(requiredKeys());
  const overview = Object.entries(keys).map(([key, schema]) => row(`stackyard:${key}`, schema, required.has(key)));
  const outputs = OUTPUTS.map(({ name, secret, description }) => [`\`${name}\``, secret ? "yes" : "no", description]);
  const features: readonly Feature[] = FEATURES;
  const sections = [...features.flatMap(({ reference = [] }) => reference), ...BASE];
  const listed: Listed = new Map();
  return [
    `${INTRO}\n## Keys\n\n${table(HEAD, overview)}\n`,
    ...sections.map((section) => sectionOf(section, keys, listed)),
    `\n## Outputs\n\nWhat runtime stacks read through a stack reference, and people with \`pulumi stack output\`.\n\n`,
    `${table(["output", "secret", "description"], outputs)}\n`,
  ].join("");
}

function sectionOf(section: ReferenceSection, keys: KeySchemas, listed: Listed): string {
  const { title, isNested, intro, at, omit, variant } = section;
  const head = title === undefined ? "" : `\n${isNested ? "###" : "##"} ${title}\n`;
  const text = intro === undefined ? "" : `\n${intro}\n`;
  if (at.length === 0) return `${head}${text}`;
  const { schema, prefix } = fieldAt(keys, at);
  const body =
    variant === undefined
      ? `\n${table(HEAD, rows(at[0] ?? "", schema, listed, prefix, omit))}\n`
      : variants(at.join(".").replaceAll(".[]", "[]"), variant, schema, listed);
  return `${head}${text}${body}`;
}

type KeySchemas = Readonly<Record<string, JsonSchema>>;

/** The schema of a field, and the prefix of the names of its own fields. */
function fieldAt(keys: KeySchemas, [key = "", ...path]: readonly string[]) {
  let schema = keys[key] ?? {};
  let prefix = "";
  for (const name of path) {
    const isEntry = name.startsWith("<");
    schema = (isEntry ? valuesOf(schema) : name === "[]" ? schema.items : schema.properties?.[name]) ?? {};
    prefix = name === "[]" ? `${prefix.slice(0, -1)}[].` : `${prefix}${name}.`;
  }
  return { schema, prefix };
}
