import { load, YAMLException } from "js-yaml";
import { Refused, Unavailable } from "../../../foundation/net/errors";
import { shownUrl } from "../../../foundation/net/http";
import { digestLike } from "../../../foundation/registry/registry";
import type { Credentials } from "../charts";
import { ARCHIVE_BYTES, Downloads, INDEX_BYTES } from "./download";
import { isObject } from "../../../foundation/json/isObject";

type Entry = Readonly<Record<string, unknown>>;

/** Fetches a chart archive from a Helm repository, using its `index.yaml`. */
export async function fromHelmRepository(
  repo: string,
  name: string,
  version: string,
  credentials?: Credentials,
): Promise<Buffer> {
  const base = new URL(repo.endsWith("/") ? repo : `${repo}/`);
  const downloads = new Downloads(base, credentials);
  const index = new URL("index.yaml", base);
  const text = (await downloads.get(index, INDEX_BYTES, `the index of ${shownUrl(base)}`)).toString("utf8");
  const entry = entriesOf(text, name, index).find((candidate) => candidate["version"] === version);
  if (entry === undefined) throw new Unavailable(`${shownUrl(index)} has no ${name} of version ${version}`, false);
  const bytes = await downloads.get(
    urlOf(entry, base, index, `${name} ${version}`),
    ARCHIVE_BYTES,
    `the chart ${name}`,
  );
  const { digest } = entry;
  if (typeof digest !== "string" || !/^(sha256:)?[0-9a-f]{64}$/.test(digest)) return bytes;
  const [expected, found] = [`sha256:${digest.replace("sha256:", "")}`, digestLike("sha256:", bytes)];
  if (found === expected) return bytes;
  throw new Refused(`${name} ${version} has the digest ${found}; expected ${expected}, as ${shownUrl(index)} says`);
}

function entriesOf(text: string, name: string, index: URL): Entry[] {
  let document: unknown;
  try {
    document = load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new Unavailable(`${shownUrl(index)} is no YAML: ${error.reason}`, false);
  }
  const entries = isObject(document) ? document["entries"] : undefined;
  if (!isObject(entries)) {
    throw new Unavailable(`${shownUrl(index)} is no index of a Helm repository: it has no entries`, false);
  }
  const found = Object.hasOwn(entries, name) ? entries[name] : undefined;
  return Array.isArray(found) ? found.filter(isObject) : [];
}

function urlOf({ urls }: Entry, base: URL, index: URL, chart: string): URL {
  const text = Array.isArray(urls) ? (urls as unknown[]).find((item) => typeof item === "string") : undefined;
  if (text === undefined || !URL.canParse(text, base.href)) {
    throw new Unavailable(`${shownUrl(index)} gives no URL for ${chart}`, false);
  }
  const url = new URL(text, base);
  const safe = url.protocol === "https:" || (url.protocol === "http:" && base.protocol === "http:");
  if (safe && url.username === "" && url.password === "") return url;
  const expected = base.protocol === "https:" ? "https" : "http or https";
  throw new Refused(`${shownUrl(index)} leads to ${url.protocol}//${url.host} for ${chart}; expected ${expected}`);
}
