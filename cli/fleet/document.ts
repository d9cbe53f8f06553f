import { readFile } from "node:fs/promises";
import { Failure, messageOf } from "../../foundation/errors";
import { parseFile } from "../yaml";

/** Content of a file of deployments: unchecked fields by id. */
type Document = ReadonlyMap<string, unknown>;

const EXAMPLE = "deployments by id, such as acme: {slots: 2, version: 0.50.0}";

/** Reads a file, or standard input for `-`, as text in UTF-8. */
export async function readText(file: string): Promise<string> {
  let content: Buffer;
  try {
    content = await readFile(file === "-" ? "/dev/stdin" : file);
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${messageOf(error)}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new Failure(`${file} is not text in UTF-8; expected a YAML or JSON file of ${EXAMPLE}`);
  }
}

/** Parses a YAML or JSON map of deployments. Throws with every syntax error. */
export function parseDocumentText(text: string, file: string): Document {
  const content = parseFile(text, file);
  if (content === null || content === undefined) throw new Failure(`${file} is empty; expected ${EXAMPLE}`);
  if (typeof content !== "object" || Array.isArray(content)) {
    throw new Failure(
      `${file}: found ${Array.isArray(content) ? "a list" : `a ${typeof content}`}; expected ${EXAMPLE}`,
    );
  }
  const entries = Object.entries(content);
  if (entries.length === 0) throw new Failure(`${file} is empty; expected ${EXAMPLE}`);
  return new Map(entries);
}
