import { dump } from "js-yaml";
import type { OutputOptions } from "./options";

/** Formats a value for programs; undefined for output to users. */
export function structured(options: OutputOptions, value: unknown): string | undefined {
  const format = options.output ?? (options.json === true ? "json" : undefined);
  if (format === undefined) return undefined;
  // The round trip converts times to texts and drops undefined values.
  const text = JSON.stringify(value, undefined, 2);
  return format === "json" ? text : dump(JSON.parse(text), { noRefs: true }).trimEnd();
}
