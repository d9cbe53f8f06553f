/** The real charts: from a folder, or from their own repositories. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { create } from "tar";
import { fetchArchive, isChartUnavailable } from "../../components/charts/fetch/fetch";
import { CHART_NAMES, versionOf, type ChartName } from "../../components/charts/table";

export interface RealChart {
  readonly name: ChartName;
  readonly version: string;
}

/** What of the charts can be had, as a mirror folder. */
export interface RealCharts {
  readonly mirror: string;
  readonly charts: readonly RealChart[];
  /** Why others can't. */
  readonly missing: Readonly<Partial<Record<ChartName, string>>>;
}

/** `given`: folder with `<name>-<version>.tgz`, or with a folder for each chart. Default: their own repositories. */
export async function realCharts(given: string | undefined, mirror: string): Promise<RealCharts> {
  mkdirSync(mirror, { recursive: true });
  const charts: RealChart[] = [];
  const missing: Partial<Record<ChartName, string>> = {};
  for (const name of CHART_NAMES) {
    const found = await realChart(name, given);
    if ("missing" in found) missing[name] = found.missing;
    else {
      const { version, archive } = found;
      writeFileSync(path.join(mirror, `${name}-${version}.tgz`), archive);
      charts.push({ name, version });
    }
  }
  return { mirror, charts, missing };
}

/** A chart, or why it can't be had. */
export async function realChart(name: ChartName, given: string | undefined): Promise<Found | { missing: string }> {
  try {
    return given === undefined ? await fetched(name) : await packed(name, given);
  } catch (error) {
    if (!isChartUnavailable(error) && !(error instanceof NotThere)) throw error;
    return { missing: error.message };
  }
}

class NotThere extends Error {}

interface Found {
  readonly version: string;
  readonly archive: Buffer;
}

const fetched = async (name: ChartName): Promise<Found> => ({
  version: versionOf(name),
  archive: await fetchArchive(name, {}, "."),
});

async function packed(name: ChartName, given: string): Promise<Found> {
  const tested = path.join(given, `${name}-${versionOf(name)}.tgz`);
  if (existsSync(tested)) return { version: versionOf(name), archive: readFileSync(tested) };
  const about = path.join(given, name, "Chart.yaml");
  if (!existsSync(about)) throw new NotThere(`${given} has neither ${path.basename(tested)} nor the folder ${name}`);
  const { version } = load(readFileSync(about, "utf8")) as { version: string };
  const chunks: Buffer[] = [];
  for await (const chunk of create({ cwd: given, gzip: true, portable: true }, [name])) chunks.push(Buffer.from(chunk));
  return { version, archive: Buffer.concat(chunks) };
}

/** Bundles to render: folders with a chart, or with manifests, somewhere below `catalog/`. */
export function catalogOf(given: string): string[] {
  const folder = path.join(given, "catalog");
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  const look = (at: string): void => {
    if (existsSync(path.join(at, "Chart.yaml")) || existsSync(path.join(at, "manifests"))) {
      found.push(at);
      return;
    }
    for (const one of readdirSync(at, { withFileTypes: true })) if (one.isDirectory()) look(path.join(at, one.name));
  };
  look(folder);
  return found.sort();
}
