import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadEntry } from "tar";
import { cacheFolder } from "../../foundation/cacheFolder";
import { chartFolder } from "../../foundation/chartFolder";
import { MIB, mib } from "../../foundation/net/bytes";
import { keepWhole, readIfThere } from "../../foundation/wholeFile";
import { digestOf } from "../../foundation/digest";
import type { ChartCrds, ChartsConfig, WantedChart } from "./charts";
import { ARCHIVE_BYTES } from "./fetch/download";
import { fetchArchive, isFolder, isChartUnavailable, originOf } from "./fetch/fetch";
import { lockedDigest, lockedVersions } from "./lock";
import { placeFolder } from "./place";
import { CHARTS, versionOf, type ChartEntry, type ChartName } from "./table";
import { assemble, CHARTS_FOLDER } from "./wrapper";

const MOST_BYTES = 64 * MIB;

/**
 * Writes the CustomResourceDefinitions in a chart's folder `crds/` to a folder for a bundle. Helm installs them once
 * and never upgrades them, so an operator would run with outdated kinds. Undefined if the chart has none.
 */
export async function placeCrds(name: ChartName, archive: Buffer, project: string): Promise<ChartCrds | undefined> {
  const files = await crdFiles(name, archive);
  if (files.size === 0) return undefined;
  const path = `./${CHARTS_FOLDER}/${name}-crds-${digestOf(archive).slice(7, 19)}`;
  const names = [...files.values()].flatMap(namesIn).sort();
  const manifests = [...files].map(([file, text]): [string, Buffer] => [`manifests/${file}`, Buffer.from(text)]);
  await placeFolder(join(project, path), manifests);
  return { path, names };
}

/** Reads the files of `<chart>/crds/` by name, and skips everything else in the archive. */
async function crdFiles(name: ChartName, archive: Buffer): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let total = 0;
  const { Parser } = await import("tar");
  // Ignores an invalid archive, because Helm reports it.
  const parser = new Parser();
  parser.on("entry", (entry: ReadEntry) => {
    const [, file] = /^[^/]+\/crds\/([A-Za-z0-9][\w.-]*\.ya?ml)$/.exec(entry.path) ?? [];
    total += entry.size;
    const chunks: Buffer[] = [];
    entry.on("data", (chunk: Buffer) => (file === undefined || total > MOST_BYTES ? undefined : chunks.push(chunk)));
    entry.on("end", () => {
      if (file !== undefined && entry.type === "File") found.set(file, Buffer.concat(chunks).toString("utf8"));
    });
  });
  await new Promise((resolve, reject) => {
    parser.on("end", resolve);
    parser.on("error", reject);
    parser.end(archive);
  });
  if (total > MOST_BYTES) throw new Error(`the chart ${name} unpacks to more than ${mib(MOST_BYTES)}`);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names of the CustomResourceDefinitions in a file. Does not parse their large schemas. */
const namesIn = (text: string): string[] =>
  text.split(/^---.*$/m).flatMap((document) => {
    const [, metadata = ""] = /^metadata:\n((?:[ \t]+.*\n|\n)*)/m.exec(document) ?? [];
    const [, name] = /^ {2}name: (\S+)$/m.exec(metadata) ?? [];
    return name === undefined ? [] : [name];
  });

/** Maximum size of a note: a digest and a line break. */
const NOTE_BYTES = 100;

/** An exact version of a chart. */
interface VersionedChart {
  readonly name: ChartName;
  readonly version: string;
}

/** Cache of verified chart archives by digest, shared by all checkouts of a user. */
export class ChartCache {
  /** Default: `$XDG_CACHE_HOME/stackyard/charts`, or `~/.cache/stackyard/charts`. */
  constructor(private readonly folder: string = cacheFolder("charts")) {}

  /** The archive with this digest; undefined if it is missing or damaged. */
  async find(chart: VersionedChart, digest: string): Promise<Buffer | undefined> {
    const bytes = await readIfThere(this.archive(chart, digest), ARCHIVE_BYTES);
    return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
  }

  /**
   * The archive previously fetched from this origin, for a chart that is not locked. An exact version never changes.
   */
  async findFrom(chart: VersionedChart, mirror: string | undefined): Promise<Buffer | undefined> {
    const digest = (await readIfThere(this.note(chart, mirror), NOTE_BYTES))?.toString("utf8").trim();
    return digest === undefined ? undefined : this.find(chart, digest);
  }

  async keep(chart: VersionedChart, mirror: string | undefined, bytes: Buffer): Promise<void> {
    const digest = digestOf(bytes);
    await keepWhole(this.archive(chart, digest), bytes);
    await keepWhole(this.note(chart, mirror), Buffer.from(`${digest}\n`));
  }

  private archive(chart: VersionedChart, digest: string): string {
    return join(this.folder, archiveName(chart, digest));
  }

  /** Path of the file that records which digest an origin returned. */
  private note({ name, version }: VersionedChart, mirror: string | undefined): string {
    const origin = createHash("sha256").update(originOf(name, mirror)).digest("hex").slice(0, 16);
    return join(this.folder, "origins", `${name}-${version}-${origin}`);
  }
}

/** A file name with the chart's name and version. It changes with the content. */
function archiveName({ name, version }: VersionedChart, digest: string): string {
  return `${name}-${version}-${digest.replace("sha256:", "").slice(0, 12)}.tgz`;
}

export interface FetchedCharts {
  readonly archives: Readonly<Partial<Record<ChartName, string>>>;
  readonly crds: Readonly<Partial<Record<ChartName, ChartCrds>>>;
  /** Optional components whose chart is unavailable, each with the reason. */
  readonly skipped: readonly { readonly wanted: WantedChart; readonly why: string }[];
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

/** All faults of the charts in one error. */
export class ChartsError extends Error {
  constructor(faults: readonly string[]) {
    super(`Charts are missing or wrong; nothing was changed.\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.name = "ChartsError";
  }
}

/**
 * Fetches and verifies all wanted charts before any resource is created. Uses the user's cache, so repeated runs need
 * no network. Throws one {@link ChartsError} with every fault.
 */
export async function fetchCharts(
  config: ChartsConfig,
  project: string = process.cwd(),
  cache: ChartCache = new ChartCache(),
): Promise<FetchedCharts> {
  const archives: Partial<Record<ChartName, string>> = {};
  const crds: Partial<Record<ChartName, ChartCrds>> = {};
  const skipped: FetchedCharts["skipped"][number][] = [];
  const faults: string[] = [];
  const warnings: string[] = [];
  const names = [...new Set(config.wanted.map(({ chart }) => chart))];
  await Promise.all(
    names.map(async (name) => {
      const users = config.wanted.filter(({ chart }) => chart === name);
      const found = await verified(name, config, project, cache);
      if ("bytes" in found) {
        archives[name] = await place({ name, version: versionOf(name, config.versions) }, found.bytes, project);
        const { hasCrds }: ChartEntry = CHARTS[name];
        if (hasCrds) crds[name] = await placeCrds(name, found.bytes, project);
        if (found.warning !== undefined) warnings.push(found.warning);
        return;
      }
      const needed = users.filter(({ optional }) => found.refused || !optional);
      if (needed.length > 0) faults.push(fault(found.why, needed, found.refused));
      else skipped.push(...users.map((wanted) => ({ wanted, why: found.why })));
    }),
  );
  if (faults.length > 0) throw new ChartsError(faults.sort());
  return { archives, crds, skipped, warnings: warnings.sort() };
}

const fault = (why: string, users: readonly WantedChart[], refused: boolean): string => {
  const keys = users.map(({ component }) => `stackyard:${component}`).join(", ");
  const way = `put it on a mirror (stackyard:charts.mirror), or mark ${keys} optional: true to do without for now`;
  return `${keys}: ${why}${refused ? "" : `; ${way}`}`;
};

type Found =
  | { readonly bytes: Buffer; readonly warning?: string }
  /** `refused`: the chart was available but invalid, so the component must not be skipped silently. */
  | { readonly why: string; readonly refused: boolean };

async function verified(name: ChartName, config: ChartsConfig, project: string, cache: ChartCache): Promise<Found> {
  const { mirror, lock, lockFile, lockRequired, versions } = config;
  const version = versionOf(name, versions);
  const chart = `the chart ${name} ${version}`;
  const expected = lockedDigest(lock, name, version);
  if (expected === undefined && lockRequired) {
    const others = lockedVersions(lock, name).map((each) => each.version);
    const other = others.length === 0 ? "" : ` (only ${others.join(", ")} ${others.length === 1 ? "is" : "are"})`;
    return { why: `${chart} is not in ${lockFile}${other}; record it with: stackyard charts lock`, refused: true };
  }
  const kept =
    expected === undefined ? cache.findFrom({ name, version }, mirror) : cache.find({ name, version }, expected);
  // The cache is not read if the mirror is a folder, which is local and whose content may change.
  let bytes = isFolder(mirror) ? undefined : await kept;
  if (bytes === undefined) {
    try {
      bytes = await fetchArchive(name, config, project);
    } catch (error) {
      if (!isChartUnavailable(error)) throw error;
      return { why: `${chart} can't be fetched: ${error.message}`, refused: false };
    }
    const digest = digestOf(bytes);
    if (expected !== undefined && digest !== expected) {
      const from = originOf(name, mirror);
      return {
        why: `${chart} from ${from} has the digest ${digest}; expected ${expected}, as ${lockFile} says. The archive changed after it was locked: ask its publisher why before you use it`,
        refused: true,
      };
    }
    await cache.keep({ name, version }, mirror, bytes);
  }
  if (expected !== undefined) return { bytes };
  const warning = `${chart} is not in ${lockFile}: taken as it came, with digest ${digestOf(bytes)}; record it with: stackyard charts lock`;
  return { bytes, warning };
}

/** Copies a chart to where releases expect it. Returns a relative path, which is equal on all machines. */
async function place(chart: VersionedChart, bytes: Buffer, project: string): Promise<string> {
  const { wrapper }: ChartEntry = CHARTS[chart.name];
  if (wrapper !== undefined) {
    const folder = chartFolder(wrapper, __dirname);
    return assemble(chart.name, chart.version, { archive: bytes, folder, project });
  }
  const path = `./${CHARTS_FOLDER}/${archiveName(chart, digestOf(bytes))}`;
  // The placed file may have been changed.
  const there = await readFile(join(project, path)).catch(() => undefined);
  if (there === undefined || !there.equals(bytes)) await keepWhole(join(project, path), bytes);
  return path;
}
