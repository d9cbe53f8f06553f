import { readFile } from "node:fs/promises";
import { renderPath, type Fault } from "../../foundation/schema/faults";
import { fieldFaults, requestFaults, runtimeRequest, type Request } from "../../engine/runtime/request/request";
import type { RuntimeChange } from "../../engine/stack/change";
import { Failure, messageOf, UsageError } from "../../foundation/errors";
import { parseFile } from "../yaml";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";

/** Parses a YAML or JSON map of deployment fields by id. Throws with every fault, each with its path. */
export function parseRequests(text: string, file: string): Request[] {
  const entries = [...parseDocumentText(text, file)];
  refuse(
    file,
    entries.flatMap(([id, fields]) => requestFaults(id, fields)),
  );
  return entries.map(([id, fields]) => runtimeRequest(id, (fields ?? {}) as Readonly<Record<string, unknown>>));
}

export const readRequests = async (file: string): Promise<Request[]> => parseRequests(await readText(file), file);

/** Flags by field. */
const FLAGS: Readonly<Record<string, string>> = {
  slots: "--slots",
  version: "--version",
  environment: "--environment",
  diskGb: "--disk-gb",
  annotations: "--annotation",
  provisioner: "--provisioner",
  resources: "--clickhouse",
};

/** Checks flags against the schema. Throws with every fault, each with its flag. */
export function checkFlags({ deployment }: RuntimeChange): void {
  const given = withoutUndefined(deployment);
  const lines = fieldFaults(given).map(({ path: [field = ""], message }) => `${FLAGS[field] ?? field}: ${message}`);
  if (lines.length > 0) throw new UsageError(lines.join("\n"));
}

/** Throws one error with every fault of a file; nothing is started. */
export function refuse(file: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const number = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const lines = faults.map(({ path, message }) => `  - ${renderPath(path)}: ${message}`);
  throw new Failure(`${file} has ${number}; nothing was started.\n${lines.join("\n")}`);
}

/** Content of a file of deployments: unchecked fields by id. */
type Document = ReadonlyMap<string, unknown>;

const EXAMPLE = "deployments by id, such as acme: {slots: 2, version: 0.50.0}";

/** Reads a file, or standard input for `-`, as text in UTF-8. */
async function readText(file: string): Promise<string> {
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
function parseDocumentText(text: string, file: string): Document {
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
