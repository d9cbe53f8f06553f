import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";

/** Result of reading a job file: its content, or a short description of what is wrong with it. */
type JobFile = { readonly job: unknown } | { readonly trouble: string };

/** Dates remain strings, as in JSON. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/** Parses a job file, which is JSON or YAML. */
export function parseJobFile(text: string): JobFile {
  try {
    return { job: load(text, { schema: SCHEMA }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const where = mark === undefined ? "" : ` in line ${mark.line + 1}, column ${mark.column + 1}`;
    return { trouble: `neither JSON nor YAML${where}: ${reason}` };
  }
}
