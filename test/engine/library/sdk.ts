import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";

interface Schema {
  readonly resources: Readonly<Record<string, { isComponent?: boolean; properties?: object }>>;
}

/** Stands in for the SDK of `pulumi package add`, whose generator only newer language hosts have. */
export function sdkText(root = projectRoot()): string {
  const file = path.join(root, "provider", "package.schema.json");
  const { resources } = JSON.parse(readFileSync(file, "utf8")) as Schema;
  const classes = Object.entries(resources).map(([token, { isComponent, properties = {} }]) => {
    const unset = JSON.stringify(Object.fromEntries(Object.keys(properties).map((key) => [key, null])));
    const [base, more] = isComponent ? ["ComponentResource", ", true"] : ["CustomResource", ""];
    return `exports.${token.split(":")[2]} = class extends pulumi.${base} {
  constructor(name, args, opts) {
    super("${token}", name, { ...blank(${unset}), ...args }, opts${more});
  }
};`;
  });
  return `const pulumi = require("@pulumi/pulumi");
const blank = (outputs) => Object.fromEntries(Object.keys(outputs).map((each) => [each, undefined]));
${classes.join("\n")}
`;
}
