import { dump } from "js-yaml";
import type { OutputOptions } from "../options";

/** The value for programs; undefined for output to users. */
export function structured(options: OutputOptions, value: unknown): string | undefined {
  const format = options.output ?? (options.json === true ? "json" : undefined);
  if (format === undefined) return undefined;
  // Times as texts, and nothing that is undefined.
  const text = JSON.stringify(value, undefined, 2);
  return format === "json" ? text : dump(JSON.parse(text), { noRefs: true }).trimEnd();
}
