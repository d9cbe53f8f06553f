import { Option, type Command } from "commander";
import { stringify } from "yaml";

/** Output format of a result. */
export interface OutputOptions {
  readonly output?: "json" | "yaml" | "wide" | "id";
  readonly json?: boolean;
}

/** Adds `-o` with these formats, and `--json` for the most common one. */
export function outputOptions(command: Command, formats: readonly NonNullable<OutputOptions["output"]>[]): Command {
  return command
    .addOption(new Option("-o, --output <format>", "print as").choices(formats))
    .option("--json", "the same as -o json");
}

/** Formats a result for programs; undefined for output to users. JSON and YAML have the same fields. */
export function structured(value: unknown, { output, json }: OutputOptions): string | undefined {
  if (output === "json" || (output === undefined && json === true)) return JSON.stringify(value, null, 2);
  if (output !== "yaml") return undefined;
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return stringify(plain, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
}
