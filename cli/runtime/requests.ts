import { z } from "zod";
import { mismatch, renderPath, type Fault } from "../../components/config/faults";
import { strict } from "../../components/config/fields";
import { faultsOf } from "../../components/config/issues";
import { deploymentShape } from "../../components/runtime/deployment";
import { Failure, UsageError } from "../errors";
import { parseDocumentText, readText } from "../fleet/document";
import type { RuntimeChange } from "../stack/change";
import { ID_EXPECTED, isDeploymentId, platformReference } from "../stack/names";

/** One runtime asked for in a file. */
export interface Request {
  readonly id: string;
  readonly change: RuntimeChange;
}

const platform = z.string({ error: "a platform stack such as dev or organization/stackyard/dev" });

/** The fields of one entry: those of the program's own schema, each of which keeps what there is when it is missing. */
const entry = strict("an object of fields such as {slots: 2, version: 0.50.0}", {
  ...Object.fromEntries(Object.entries(deploymentShape).map(([name, field]) => [name, field.optional()])),
  platform: platform.optional(),
});

/** Parses a YAML or JSON map of id to the fields of a deployment. Throws with every fault, each with its path. */
export function parseRequests(text: string, file: string): Request[] {
  const entries = [...parseDocumentText(text, file)];
  refuse(
    file,
    entries.flatMap(([id, fields]) => entryFaults(id, fields)),
  );
  return entries.map(([id, fields]) => request(id, (fields ?? {}) as Readonly<Record<string, unknown>>));
}

export const readRequests = async (file: string): Promise<Request[]> => parseRequests(await readText(file), file);

/** Flags by the fields that they set. */
const FLAGS: Readonly<Record<string, string>> = {
  slots: "--slots",
  version: "--version",
  environment: "--environment",
  diskGb: "--disk-gb",
  annotations: "--annotation",
  provisioner: "--provisioner",
  resources: "--clickhouse",
};

/** Checks by the same schema what flags ask for. Throws with every fault, each with its flag. */
export function checkFlags({ deployment }: RuntimeChange): void {
  const given = Object.fromEntries(Object.entries(deployment).filter(([, value]) => value !== undefined));
  const { error } = entry.safeParse(given);
  if (!error) return;
  const faults = faultsOf(error.issues, [], { root: given, secretKeys: new Set() });
  const lines = faults.map(({ path: [field = ""], message }) => `${FLAGS[field] ?? field}: ${message}`);
  throw new UsageError(lines.join("\n"));
}

/** Throws one error with every fault of a file; nothing is started then. */
export function refuse(file: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const number = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const lines = faults.map(({ path, message }) => `  - ${renderPath(path)}: ${message}`);
  throw new Failure(`${file} has ${number}; nothing was started.\n${lines.join("\n")}`);
}

/** An entry without any field asks for what there is. */
function entryFaults(id: string, fields: unknown): Fault[] {
  const faults: Fault[] = isDeploymentId(id) ? [] : [mismatch([JSON.stringify(id)], "this id", ID_EXPECTED)];
  const { error } = entry.safeParse(fields ?? {});
  if (error) faults.push(...faultsOf(error.issues, [id], { root: { [id]: fields }, secretKeys: new Set() }));
  const named = (fields as { platform?: unknown } | null)?.platform;
  if (typeof named === "string" && !isPlatform(named)) {
    const expected = "a platform stack such as dev or organization/stackyard/dev";
    faults.push(mismatch([id, "platform"], JSON.stringify(named), expected));
  }
  return faults;
}

function isPlatform(text: string): boolean {
  try {
    platformReference(text);
    return true;
  } catch {
    return false;
  }
}

function request(id: string, { platform, ...deployment }: Readonly<Record<string, unknown>>): Request {
  const named = typeof platform === "string" ? platformReference(platform) : undefined;
  return { id, change: { deployment: deployment, platform: named } };
}
