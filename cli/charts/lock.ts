import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { Mirror } from "../../components/charts/charts";
import { digestOf } from "../../foundation/digest";
import { fetchArchive, isChartUnavailable, originOf } from "../../components/charts/fetch/fetch";
import {
  LOCK_FILE,
  lockedDigest,
  parseLock,
  renderLock,
  withDigest,
  type ChartLock,
} from "../../components/charts/lock";
import { CHART_NAMES, versionOf, type ChartName } from "../../components/charts/table";
import { didYouMean } from "../../foundation/text/nearest";
import type { Context } from "../context";
import { readLockFile } from "../lockFile";
import { Failure, UsageError } from "../../foundation/errors";
import { platformConfig } from "../../engine/stack/config";
import { PASSWORD_VARIABLE, type LockOptions } from "./options";

/**
 * Records the current digest of each chart, by default of those that the stack uses, or of all. A chart that can't be
 * fetched keeps its recorded digest, and the command fails after writing the others. It also fails if a digest has
 * changed under the same version.
 */
export async function lockCharts(context: Context, names: readonly string[], options: LockOptions): Promise<void> {
  const { mirror, lockFile, used } = await placeOf(context, options);
  const wanted = names.length === 0 ? used : names.map(known);
  if (wanted.length === 0) context.live.line(`${options.stack} uses no upstream chart`);
  const file = path.resolve(context.root, lockFile);
  const before = await readLockFile(file, lockFile, parseLock, {});
  let after: ChartLock = before;
  const troubles: string[] = [];
  for (const name of wanted) {
    const digest = await fetchDigest(name, mirror, context.root, troubles);
    if (digest === undefined) continue;
    const version = versionOf(name, mirror.versions);
    const old = lockedDigest(before, name, version);
    if (old !== undefined && old !== digest && options.replace !== true) {
      troubles.push(
        `${name} ${version} from ${originOf(name, mirror.mirror)} has the digest ${digest}; expected ${old}, as ` +
          `${lockFile} says. A released version never changes: find out who changed it and why, then accept it with --replace`,
      );
      continue;
    }
    after = withDigest(after, name, { version, digest });
    context.live.line(`${name} ${version}: ${old === digest ? "recorded already" : digest}`);
  }
  if (renderLock(after) !== renderLock(before)) {
    await writeFile(file, renderLock(after));
    context.live.line(`${lockFile} is changed; commit it`);
  }
  if (troubles.length > 0) throw new Failure(troubles.join("\n"));
}

interface Place {
  readonly mirror: Mirror;
  readonly lockFile: string;
  /** The charts to record by default. */
  readonly used: readonly ChartName[];
}

/** Returns the mirror, the lock file and the charts, from the stack's config if a stack is named. */
async function placeOf(context: Context, options: LockOptions): Promise<Place> {
  if (options.stack === undefined)
    return { mirror: mirrorOf(options), lockFile: options.file ?? LOCK_FILE, used: CHART_NAMES };
  if (options.mirror !== undefined || options.username !== undefined) {
    throw new UsageError("--stack sets where charts come from; omit --mirror and --username");
  }
  const { charts } = await platformConfig(context.platforms, options.stack);
  const used = new Set(charts.wanted.map(({ chart }) => chart));
  return {
    mirror: charts,
    lockFile: options.file ?? charts.lockFile,
    used: CHART_NAMES.filter((name) => used.has(name)),
  };
}

function mirrorOf({ mirror, username }: LockOptions): Mirror {
  if (username === undefined) return { mirror };
  const password = process.env[PASSWORD_VARIABLE];
  if (mirror === undefined) throw new UsageError("--username belongs to a --mirror");
  if (password === undefined) throw new UsageError(`--username needs a password in the variable ${PASSWORD_VARIABLE}`);
  return { mirror, credentials: { username, password } };
}

function known(name: string): ChartName {
  const found = CHART_NAMES.find((candidate) => candidate === name);
  if (found !== undefined) return found;
  const meant = didYouMean(name, CHART_NAMES);
  const expected = `expected one of ${CHART_NAMES.join(", ")}`;
  throw new UsageError(
    `found the chart ${JSON.stringify(name)}; ${expected}${meant === undefined ? "" : `; ${meant}`}`,
  );
}

async function fetchDigest(name: ChartName, mirror: Mirror, root: string, troubles: string[]) {
  try {
    return digestOf(await fetchArchive(name, mirror, root));
  } catch (error) {
    if (!isChartUnavailable(error)) throw error;
    troubles.push(`${name} ${versionOf(name, mirror.versions)} can't be fetched: ${error.message}`);
    return undefined;
  }
}
