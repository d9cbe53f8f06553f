import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chartFolder } from "../../foundation/chartFolder";
import { keepWhole } from "../../foundation/wholeFile";
import { digestOf } from "../../foundation/digest";
import { archiveName, ChartCache, type VersionedChart } from "./cache";
import type { ChartCrds, ChartsConfig, WantedChart } from "./charts";
import { placeCrds } from "./crds";
import { fetchArchive, isFolder, isChartUnavailable, originOf } from "./fetch/fetch";
import { lockedDigest, lockedVersions } from "./lock";
import { CHARTS, versionOf, type ChartEntry, type ChartName } from "./table";
import { assemble, CHARTS_FOLDER } from "./wrapper";

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
