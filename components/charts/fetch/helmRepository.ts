import { load, YAMLException } from "js-yaml";
import type { Credentials } from "../charts";
import { basic, get, shown, Unreachable } from "./http";

interface IndexEntry {
  readonly version?: unknown;
  readonly urls?: unknown;
}

/** The archive of a chart from a Helm repository, found through its `index.yaml`. */
export async function fromHelmRepository(
  repo: string,
  name: string,
  version: string,
  credentials?: Credentials,
): Promise<Buffer> {
  const base = repo.endsWith("/") ? repo : `${repo}/`;
  const index = new URL("index.yaml", base).href;
  // An index may name archives on other servers, which have no business with the password.
  const ask = (url: string): Promise<Buffer> =>
    get(url, credentials && new URL(url).origin === new URL(base).origin ? { authorization: basic(credentials) } : {});
  const entries = entriesOf((await ask(index)).toString("utf8"), name, index);
  const entry = entries.find((candidate) => candidate.version === version);
  if (entry === undefined) throw new Unreachable(`${shown(index)} has no ${name} of version ${version}`);
  const url = Array.isArray(entry.urls)
    ? (entry.urls as unknown[]).find((item) => typeof item === "string")
    : undefined;
  if (url === undefined) throw new Unreachable(`${shown(index)} gives no URL for ${name} ${version}`);
  return ask(new URL(url, base).href);
}

function entriesOf(text: string, name: string, index: string): IndexEntry[] {
  let document: unknown;
  try {
    document = load(text);
  } catch (error) {
    if (error instanceof YAMLException) throw new Unreachable(`${shown(index)} is no YAML: ${error.reason}`);
    throw error;
  }
  const entries = (document as { entries?: Record<string, unknown> } | null)?.entries;
  if (typeof entries !== "object" || entries === null) {
    throw new Unreachable(`${shown(index)} is no index of a Helm repository: it has no entries`);
  }
  const found = Object.hasOwn(entries, name) ? entries[name] : undefined;
  return Array.isArray(found) ? (found as IndexEntry[]) : [];
}
