import { dump, load, YAMLException } from "js-yaml";
import { CHART_NAMES, CHARTS, type ChartName } from "./table";

/** The lock file, relative to the project's folder. */
export const LOCK_FILE = "charts.lock.yaml";

export interface LockedChart {
  readonly version: string;
  /** `sha256:` and 64 hex digits, of the archive. */
  readonly digest: string;
}

export type ChartLock = Readonly<Partial<Record<ChartName, LockedChart>>>;

const HEAD = `# Digests of the charts that the platform installs, recorded by \`stackyard charts lock\`.
# A chart with another digest is refused, wherever it comes from.
`;

export const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** What came of reading a lock file: the lock, or in a few words what is wrong with it. */
export type LockRead = { readonly lock: ChartLock } | { readonly trouble: string };

export function parseLock(text: string): LockRead {
  let document: unknown;
  try {
    document = load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { trouble: `text that is not YAML (${error.reason})` };
  }
  const charts = record(record(document)?.["charts"]);
  if (charts === undefined) return { trouble: "no object `charts`" };
  const lock: Partial<Record<ChartName, LockedChart>> = {};
  for (const [name, value] of Object.entries(charts)) {
    // Other versions of this program may know other charts.
    if (!isChart(name)) continue;
    const { version, digest } = record(value) ?? {};
    if (typeof version !== "string") return { trouble: `no version of ${name} (a text)` };
    if (typeof digest !== "string" || !DIGEST.test(digest)) return { trouble: `no digest of ${name} (sha256:…)` };
    lock[name] = { version, digest };
  }
  return { lock };
}

/** The text of a lock file, charts in the order of the table. */
export function renderLock(lock: ChartLock): string {
  const charts = Object.fromEntries(CHART_NAMES.flatMap((name) => (lock[name] ? [[name, lock[name]]] : [])));
  return `${HEAD}${dump({ charts }, { lineWidth: -1 })}`;
}

/** The digest recorded for the version in the table; undefined when there is none or it is another version's. */
export function lockedDigest(lock: ChartLock, name: ChartName): string | undefined {
  const locked = lock[name];
  return locked?.version === CHARTS[name].version ? locked.digest : undefined;
}

const isChart = (name: string): name is ChartName => (CHART_NAMES as string[]).includes(name);

const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
