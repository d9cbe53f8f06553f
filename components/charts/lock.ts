import { CHART_NAMES, type ChartName } from "./table";
import { parseLockFile, record, renderLockFile, type LockRead } from "../../foundation/lockFile";

/** Default path of the lock file, relative to the project folder. */
export const LOCK_FILE = "charts.lock.yaml";

interface LockedChart {
  readonly version: string;
  /** Digest of the archive: `sha256:` and 64 hex digits. */
  readonly digest: string;
}

/** Digests of images by their names with tags, as upstream. */
export type ImageLock = Readonly<Record<string, string>>;

/** Content of a lock file. */
export interface Lock {
  readonly charts: ChartLock;
  readonly images: ImageLock;
}

export const NO_LOCK: Lock = { charts: {}, images: {} };

/** One or several versions per chart, since stacks may use different ones. */
export type ChartLock = Readonly<Partial<Record<ChartName, LockedChart | readonly LockedChart[]>>>;

const HEAD = `# Digests of the charts and images that the platform installs, recorded by \`stackyard charts lock\`.
# A chart with another digest is refused, wherever it comes from.
`;

const DIGEST = /^sha256:[0-9a-f]{64}$/;

export const parseLock = (text: string): LockRead<Lock> => parseLockFile(text, readLock);

function readLock(document: Record<string, unknown> | undefined): LockRead<Lock> {
  const images = record(document?.["images"] ?? {}) ?? {};
  const wrong = Object.keys(images).find((image) => !DIGEST.test(String(images[image])));
  if (wrong !== undefined) return { trouble: `no digest of ${wrong} (sha256:…)` };
  const read = readCharts(document);
  return "lock" in read ? { lock: { charts: read.lock, images: images as ImageLock } } : read;
}

function readCharts(document: Record<string, unknown> | undefined): LockRead<ChartLock> {
  const charts = record(document?.["charts"]);
  if (charts === undefined) return { trouble: "no object `charts`" };
  const lock: Partial<Record<ChartName, LockedChart | readonly LockedChart[]>> = {};
  for (const [name, value] of Object.entries(charts)) {
    // Ignores charts of other versions of this program.
    if (!isChart(name)) continue;
    const versions: LockedChart[] = [];
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const { version, digest } = record(one) ?? {};
      if (typeof version !== "string") return { trouble: `no version of ${name} (a text)` };
      if (typeof digest !== "string" || !DIGEST.test(digest)) return { trouble: `no digest of ${name} (sha256:…)` };
      if (versions.some((each) => each.version === version)) return { trouble: `${name} ${version} twice` };
      versions.push({ version, digest });
    }
    const [only, ...others] = versions;
    if (only !== undefined) lock[name] = others.length === 0 ? only : versions;
  }
  return { lock };
}

/** Renders the lock file, with charts in the order of the table. */
export function renderLock(lock: ChartLock, images: ImageLock = {}): string {
  const charts = Object.fromEntries(CHART_NAMES.flatMap((name) => (lock[name] ? [[name, lock[name]]] : [])));
  const sorted = Object.fromEntries(Object.entries(images).sort(([a], [b]) => (a < b ? -1 : 1)));
  return renderLockFile(HEAD, { charts, ...(Object.keys(images).length > 0 && { images: sorted }) });
}

/** The recorded versions of a chart. */
export const lockedVersions = (lock: ChartLock, name: ChartName): readonly LockedChart[] => [lock[name] ?? []].flat();

/** The digest recorded for a version; undefined if there is none. */
export const lockedDigest = (lock: ChartLock, name: ChartName, version: string): string | undefined =>
  lockedVersions(lock, name).find((each) => each.version === version)?.digest;

/** Returns the lock with the digest of a version. Keeps other versions, which another stack may use. */
export function withDigest(lock: ChartLock, name: ChartName, locked: LockedChart): ChartLock {
  const others = lockedVersions(lock, name).filter(({ version }) => version !== locked.version);
  const all = [...others, locked].sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));
  return { ...lock, [name]: all.length === 1 ? locked : all };
}

const isChart = (name: string): name is ChartName => (CHART_NAMES as string[]).includes(name);
