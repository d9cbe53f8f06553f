import { renderPath, type Fault } from "../../foundation/schema/faults";
import { fieldFaults, requestFaults, runtimeRequest, type Request } from "../../engine/runtime/request/request";
import type { RuntimeChange } from "../../engine/stack/change";
import { Failure, UsageError } from "../../foundation/errors";
import { parseDocumentText, readText } from "./document";

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
  const given = Object.fromEntries(Object.entries(deployment).filter(([, value]) => value !== undefined));
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
