import { readFile } from "node:fs/promises";
import { parseDocument } from "yaml";
import { Failure, messageOf } from "../errors";
import { deploymentId, platformReference } from "../stack/names";
import type { RuntimeChange } from "../stack/change";

/** One runtime asked for in a file. */
export interface Request {
  readonly id: string;
  readonly change: RuntimeChange;
}

type Reader = (value: unknown) => string | undefined;

const text: Reader = (value) =>
  typeof value === "string" && value !== "" ? undefined : "a text, in quotes where it looks like a number";
const positive: Reader = (value) =>
  Number.isInteger(value) && Number(value) > 0 ? undefined : "a whole number from 1";
const state: Reader = (value) => (value === "running" || value === "hibernated" ? undefined : "running or hibernated");
const texts: Reader = (value) =>
  isMap(value) && Object.values(value).every((inner) => typeof inner === "string") ? undefined : "a map of texts";

/** Fields of one deployment in the file, and what is expected of each. */
const FIELDS: Readonly<Record<string, Reader>> = {
  slots: positive,
  version: text,
  environment: text,
  diskGb: positive,
  annotations: texts,
  provisioner: text,
  state,
  platform: text,
};

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads many deployments: a YAML or JSON map of id to the fields of a deployment, and `platform` where it differs.
 * All faults are told at once, each with its path.
 */
export function parseRequests(source: string, file: string): Request[] {
  const document = parseDocument(source);
  const faults = document.errors.map((error) => error.message.split("\n")[0] ?? "is not YAML");
  const content: unknown = faults.length === 0 ? document.toJS() : undefined;
  if (faults.length === 0 && !isMap(content)) {
    faults.push(
      "found something else than a map; expected deployments by id, such as acme: {slots: 2, version: 0.50.0}",
    );
  }
  const requests = isMap(content)
    ? Object.entries(content).flatMap(([id, fields]) => {
        const found = faultsOf(id, fields);
        faults.push(...found);
        return found.length === 0 ? [request(id, fields as Record<string, unknown>)] : [];
      })
    : [];
  if (faults.length > 0)
    throw new Failure(`${file} cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
  return requests;
}

export async function readRequests(file: string): Promise<Request[]> {
  let source: string;
  try {
    source = await readFile(file === "-" ? "/dev/stdin" : file, "utf8");
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${messageOf(error)}`);
  }
  return parseRequests(source, file);
}

function faultsOf(id: string, fields: unknown): string[] {
  const faults: string[] = [];
  try {
    deploymentId(id);
  } catch (error) {
    faults.push(messageOf(error));
  }
  if (!isMap(fields)) return [...faults, `${id}: found ${JSON.stringify(fields)}; expected a map of fields`];
  for (const [key, value] of Object.entries(fields)) {
    const read = FIELDS[key];
    const expected = read ? read(value) : `one of ${Object.keys(FIELDS).join(", ")}`;
    if (expected === undefined) continue;
    faults.push(`${id}.${key}: found ${read ? JSON.stringify(value) : "an unknown field"}; expected ${expected}`);
  }
  if (faults.length === 0 && typeof fields.platform === "string") {
    try {
      platformReference(fields.platform);
    } catch (error) {
      faults.push(`${id}.${messageOf(error)}`);
    }
  }
  return faults;
}

function request(id: string, fields: Record<string, unknown>): Request {
  const { platform, ...deployment } = fields;
  return {
    id,
    change: {
      deployment: deployment,
      platform: typeof platform === "string" ? platformReference(platform) : undefined,
    },
  };
}
