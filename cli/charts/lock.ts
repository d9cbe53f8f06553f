import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { Mirror } from "../../components/charts/charts";
import { digestOf } from "../../foundation/digest";
import { fetchArchive, isChartUnavailable, originOf } from "../../components/charts/fetch/fetch";
import { LOCK_FILE, lockedDigest, NO_LOCK, parseLock, renderLock, withDigest } from "../../components/charts/lock";
import { CHART_NAMES, versionOf, type ChartName } from "../../components/charts/table";
import { didYouMean } from "../../foundation/text/nearest";
import type { Context } from "../context";
import { readLockFile } from "../lockFile";
import { Failure, UsageError } from "../../foundation/errors";
import { platformConfig } from "../../engine/stack/config";
import { imageDigest } from "../../bundles/image/imageDigest";
import { ofStack } from "./images";
import { PASSWORD_VARIABLE, type LockOptions } from "./options";

/**
 * Records the current digest of each chart, by default of those that the stack uses, or of all; and of the stack's
 * images, if it wants them by digest. What can't be fetched keeps its recorded digest, and the command fails after
 * writing the others. It also fails if a digest has changed under the same version.
 */
export async function lockCharts(context: Context, names: readonly string[], options: LockOptions): Promise<void> {
  const { mirror, lockFile, used, images } = await placeOf(context, options);
  const wanted = names.length === 0 ? used : names.map(known);
  if (wanted.length === 0) context.live.line(`${options.stack} uses no upstream chart`);
  const file = path.resolve(context.root, lockFile);
  const before = await readLockFile(file, lockFile, parseLock, NO_LOCK);
  const troubles: string[] = [];
  /** Whether the digest may be recorded. */
  const isGood = (what: string, from: string, digest: string, old: string | undefined): boolean => {
    const isChanged = old !== undefined && old !== digest && options.replace !== true;
    if (!isChanged) context.live.line(`${what}: ${old === digest ? "recorded already" : digest}`);
    else
      troubles.push(
        `${what} from ${from} has the digest ${digest}; expected ${old}, as ${lockFile} says. A released version never ` +
          "changes: find out who changed it and why, then accept it with --replace",
      );
    return !isChanged;
  };
  let { charts } = before;
  for (const name of wanted) {
    const version = versionOf(name, mirror.versions);
    const what = `${name} ${version}`;
    const digest = await fetched(what, troubles, async () => digestOf(await fetchArchive(name, mirror, context.root)));
    if (digest === undefined) continue;
    if (isGood(what, originOf(name, mirror.mirror), digest, lockedDigest(before.charts, name, version)))
      charts = withDigest(charts, name, { version, digest });
  }
  const digests = new Map(Object.entries(before.images));
  for (const [source, image] of names.length === 0 ? images : []) {
    const digest = await fetched(source, troubles, () => imageDigest(image));
    if (digest !== undefined && isGood(source, image, digest, digests.get(source))) digests.set(source, digest);
  }
  const after = renderLock(charts, Object.fromEntries(digests));
  if (after !== renderLock(before.charts, before.images)) {
    await writeFile(file, after);
    context.live.line(`${lockFile} is changed; commit it`);
  }
  if (troubles.length > 0) throw new Failure(troubles.join("\n"));
}

interface Place {
  readonly mirror: Mirror;
  readonly lockFile: string;
  /** The charts to record by default. */
  readonly used: readonly ChartName[];
  /** Where the images to record are, by their names upstream. */
  readonly images: ReadonlyMap<string, string>;
}

/** Returns the mirror, the lock file and the charts, from the stack's config if a stack is named. */
async function placeOf(context: Context, options: LockOptions): Promise<Place> {
  if (options.stack === undefined)
    return { mirror: mirrorOf(options), lockFile: options.file ?? LOCK_FILE, used: CHART_NAMES, images: new Map() };
  if (options.mirror !== undefined || options.username !== undefined) {
    throw new UsageError("--stack sets where charts come from; omit --mirror and --username");
  }
  const { charts, images } = await platformConfig(context.platforms, options.stack);
  const used = new Set(charts.wanted.map(({ chart }) => chart));
  return {
    mirror: charts,
    lockFile: options.file ?? charts.lockFile,
    used: CHART_NAMES.filter((name) => used.has(name)),
    images: images.lock === "off" ? new Map() : await imagesToLock(context, options.stack),
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

/** Images with tags, except those of which the config has the digest, and of versions that are not known here. */
async function imagesToLock(context: Context, stack: string): Promise<Map<string, string>> {
  const listed = (await ofStack(context, stack)).filter(({ role, image }) => role !== "chart" && !/@|>$/.test(image));
  return new Map(listed.map(({ image, source = image }) => [source, image]));
}

async function fetched(what: string, troubles: string[], fetch: () => Promise<string>): Promise<string | undefined> {
  try {
    return await fetch();
  } catch (error) {
    if (!isChartUnavailable(error)) throw error;
    troubles.push(`${what} can't be fetched: ${error.message}`);
    return undefined;
  }
}
