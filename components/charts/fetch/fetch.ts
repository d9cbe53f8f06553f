import { load, YAMLException } from "js-yaml";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isObject } from "../../../foundation/json/isObject";
import { mib } from "../../../foundation/net/bytes";
import { Refused, Unavailable } from "../../../foundation/net/errors";
import { shownUrl } from "../../../foundation/net/http";
import { readAll } from "../../../foundation/net/streams";
import { DIGEST } from "../../../foundation/registry/reference";
import { digestLike, Registry } from "../../../foundation/registry/registry";
import type { Mirror, Credentials } from "../charts";
import { CHARTS, versionOf, type ChartName } from "../table";
import { ARCHIVE_BYTES, Downloads, INDEX_BYTES } from "./download";

type Entry = Readonly<Record<string, unknown>>;

/** Fetches a chart archive from a Helm repository, using its `index.yaml`. */
async function fromHelmRepository(
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

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CHART_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/** Fetches a chart archive from an OCI registry: `oci://host/path` has it as `path/<name>:<version>`. */
async function fromOciRegistry(
  origin: string,
  name: string,
  version: string,
  credentials?: Credentials,
): Promise<Buffer> {
  const { host, pathname } = new URL(origin.replace(/^oci:/, "https:"));
  const repository = `${pathname.replace(/^\/+|\/+$/g, "")}/${name}`.replace(/^\//, "");
  const registry = new Registry({ registry: host, repository }, { trust: {}, ...(credentials && { credentials }) });
  // Tags can't contain the `+` of build metadata.
  const tag = version.replaceAll("+", "_");
  const place = `${host}/${repository}:${tag}`;
  const digest = layerIn((await registry.manifest(tag, [MANIFEST])).bytes, place);
  const bytes = await registry.withRetries(async () =>
    readAll((await registry.blob(digest)).body, ARCHIVE_BYTES, `the chart ${name}`),
  );
  const found = digestLike(digest, bytes);
  if (found === digest) return bytes;
  throw new Refused(`the chart in ${place} has the digest ${found}; expected ${digest}, as its manifest says`);
}

/** The digest of the layer that contains the chart. */
function layerIn(manifest: Buffer, place: string): string {
  let document: unknown;
  try {
    document = JSON.parse(manifest.toString("utf8"));
  } catch {
    throw new Unavailable(`${place} has a manifest that is no JSON`, false);
  }
  const { layers } = isObject(document) ? document : {};
  const layer = Array.isArray(layers)
    ? (layers as unknown[]).filter(isObject).find(({ mediaType }) => mediaType === CHART_LAYER)
    : undefined;
  if (layer === undefined) throw new Unavailable(`${place} is no Helm chart`, false);
  const { digest } = layer;
  if (typeof digest === "string" && DIGEST.test(digest)) return digest;
  throw new Refused(`${place} names a layer without a digest; expected sha256:…`);
}

/** Whether a chart is unavailable or was rejected. An optional component is skipped then. */
export const isChartUnavailable = (error: unknown): error is Error =>
  error instanceof Unavailable || error instanceof Refused;

/** Where a chart comes from: the mirror, or else its own repository. */
export const originOf = (name: ChartName, mirror: string | undefined): string => mirror ?? CHARTS[name].repo;

export const isFolder = (mirror: string | undefined): boolean => mirror !== undefined && !/^[a-z]+:\/\//.test(mirror);

/**
 * Fetches the archive of a chart in its configured version, without verifying it. A relative folder starts at
 * `project`. Throws an error that matches {@link isChartUnavailable} if it is unavailable.
 */
export async function fetchArchive(
  name: ChartName,
  { mirror, credentials, versions }: Mirror,
  project: string,
): Promise<Buffer> {
  const version = versionOf(name, versions);
  const origin = originOf(name, mirror);
  if (origin.startsWith("oci://")) return fromOciRegistry(origin, name, version, credentials);
  if (!isFolder(mirror)) return fromHelmRepository(origin, name, version, credentials);
  const folder = origin.startsWith("~/") ? join(homedir(), origin.slice(2)) : resolve(project, origin);
  const shown = `the file ${join(origin, `${name}-${version}.tgz`)}`;
  try {
    const file = join(folder, `${name}-${version}.tgz`);
    if ((await stat(file)).size > ARCHIVE_BYTES) throw new Refused(`${shown} has more than ${mib(ARCHIVE_BYTES)}`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" || code === "ENOTDIR" ? "is not there" : `can't be read (${code ?? "unknown"})`;
    throw new Unavailable(`${shown} ${why}`, false);
  }
}
