/** Generates the TypeScript class of a resource from its schema. Pure. */

import { secretsOf, type Property, type ResourceSchema, type TypeSchema } from "../framework/resourceSchema";

const HEAD = "// Generated from provider/resources/*/*Schema.ts by `npm run generate`; a test keeps it true.\n";
const WIDTH = 118;

/** Hand-written types next to the generated classes. */
const BY_HAND: Readonly<Record<string, string>> = { Outcome: "./outcome" };

export function classText(name: string, schema: ResourceSchema): string {
  const { description, inputs, required, outputs = {}, optional = [], types = {} } = schema;
  const exposed = Object.entries(inputs).filter(([, { class: { exposed = false } = {} }]) => exposed);
  const shown = Object.entries(outputs).filter(([, { class: { hidden = false } = {} }]) => !hidden);
  const fields = [...shown, ...exposed].map(([key, one]) => {
    const isOptional = key in outputs ? optional.includes(key) : !required.includes(key);
    return `${doc(one.description)}declare public readonly ${key}: pulumi.Output<${typeOf(one, "output")}${absent(one, isOptional)}>;`;
  });
  const secret = Object.entries(inputs).flatMap(([key, one]) => {
    const text = secretText(key, one, required.includes(key), types);
    return text === undefined ? [] : `${key}: ${text},`;
  });
  const properties = [
    "...args,",
    ...secret,
    // The class has this output even if the program does not set the input.
    ...exposed.filter(([key]) => !required.includes(key)).map(([key]) => `${key}: args.${key},`),
    ...shown.map(([key]) => `${key}: undefined,`),
  ];
  const secrets = secretsOf(schema);
  const options =
    secrets.length === 0
      ? "opts"
      : `pulumi.mergeOptions(opts, { additionalSecretOutputs: ${JSON.stringify(secrets)} })`;
  return [
    HEAD,
    'import * as pulumi from "@pulumi/pulumi";',
    ...Object.entries(BY_HAND).flatMap(([type, from]) =>
      Object.values(inputs).some((one) => one.class?.type === type) ? `import type { ${type} } from "${from}";` : [],
    ),
    "",
    ...Object.entries(types).map(([key, type]) => interfaceText(key, type.description, type.properties, type.required)),
    interfaceText(`${name}Args`, undefined, inputs, required),
    `${doc(description)}export class ${name} extends pulumi.CustomResource {`,
    ...fields,
    "",
    `constructor(name: string, args: ${name}Args, opts?: pulumi.CustomResourceOptions) {`,
    `super("stackyard:index:${name}", name, { ${properties.join(" ")} }, ${options});`,
    "}",
    "}",
    "",
  ].join("\n");
}

function interfaceText(
  name: string,
  description: string | undefined,
  properties: ResourceSchema["inputs"],
  required: readonly string[] = [],
): string {
  const lines = Object.entries(properties).map(([key, one]) => {
    const plain = one.plain === true;
    const type = typeOf(one, plain ? "plain" : "input");
    return `${doc(one.description)}readonly ${key}${required.includes(key) ? "" : "?"}: ${plain ? type : `pulumi.Input<${type}>`};`;
  });
  return `${doc(description)}export interface ${name} {\n${lines.join("\n")}\n}\n`;
}

/** `plain`: known when the program runs; `input`: elements of lists may be outputs of other resources. */
function typeOf(one: Property, as: "plain" | "input" | "output"): string {
  if (one.class?.type !== undefined) return one.class.type;
  if (one.$ref !== undefined) return one.$ref.split(":").at(-1) ?? "";
  if (one.type === "array") {
    const item = typeOf(one.items ?? {}, as);
    return as === "plain" ? `readonly ${item}[]` : as === "input" ? `pulumi.Input<${item}>[]` : `${item}[]`;
  }
  if (one.type === "object") {
    const { additionalProperties: value } = one;
    if (value?.type === undefined) return "Record<string, unknown>";
    const item = typeOf(value, as);
    return `Record<string, ${as === "input" ? `pulumi.Input<${item}>` : item}>`;
  }
  return one.type === "integer" ? "number" : (one.type ?? "unknown");
}

const absent = ({ class: { nullable = false, always = false } = {} }: Property, isOptional: boolean): string =>
  nullable ? " | null" : isOptional && !always ? " | undefined" : "";

/** Marks a value as secret in the program, so that the engine never receives it in plain text. */
function secretText(
  key: string,
  one: Property,
  isRequired: boolean,
  types: Readonly<Record<string, TypeSchema>>,
): string | undefined {
  const wrapped = (from: string): string => `${from} === undefined ? undefined : pulumi.secret(${from})`;
  if (one.secret === true) return isRequired ? `pulumi.secret(args.${key})` : wrapped(`args.${key}`);
  const inner = one.items?.$ref === undefined ? undefined : types[one.items.$ref.split(":").at(-1) ?? ""];
  const secrets = Object.entries(inner?.properties ?? {}).filter(([, each]) => each.secret === true);
  if (secrets.length === 0 || one.plain !== true) return undefined;
  const fields = secrets.map(([field]) => `${field}: ${wrapped(`each.${field}`)}`);
  return `args.${key}.map((each) => ({ ...each, ${fields.join(", ")} }))`;
}

/** Builds a doc comment, on one line if it fits. */
function doc(description: string | undefined): string {
  if (description === undefined) return "";
  if (description.length + 8 <= WIDTH) return `/** ${description} */\n`;
  const lines = [""];
  for (const word of description.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (`${line} ${word}`.length > WIDTH - 5) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
}
