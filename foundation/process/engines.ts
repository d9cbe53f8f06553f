import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import * as path from "node:path";
import { isMissing } from "../errorCode";
import { isObject } from "../json/isObject";
import { writePrivateSync } from "../wholeFile";
import { fateOf, identify, type Fate, type ProcessIdentity } from "./identity";
import { userId } from "./user";

/*
 * Pulumi's lock of a stack names its holder by host name and process id only. So each engine that Stackyard starts is
 * recorded on its machine, with its identity and the time in which it takes its lock.
 */

/** One run of an engine. */
export interface EngineRecord {
  readonly host: string;
  readonly pid: number;
  /** When the run began, in milliseconds since 1970. */
  readonly at: number;
  /** When it certainly had its lock. Undefined: it has not come so far, or nobody saw it. */
  readonly locked?: number;
  /** Undefined where the system does not report it. */
  readonly identity?: ProcessIdentity;
}

/** The part of a lock by which its holder is found. */
interface LockHolder {
  readonly host: string;
  readonly pid: number;
  /** When the lock was taken, as RFC 3339. */
  readonly since: string;
}

/** How long an engine may take to lock its stack, if nobody sees when it has. */
const LOCKS_WITHIN_MS = 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Whether a lock is from this run: from a process of this id, and from the time in which the run took its lock. */
export function isLockOf({ host, pid, at, locked }: EngineRecord, lock: LockHolder): boolean {
  const since = Date.parse(lock.since);
  // The CLI reports locks without fractions of seconds.
  const [from, until] = [Math.floor(at / 1000) * 1000, locked ?? at + LOCKS_WITHIN_MS];
  return lock.host === host && lock.pid === pid && since >= from && since <= until;
}

/**
 * Whether the holder of a lock has certainly ended: its run is recorded on this machine, and its process is gone, or its
 * run is in `gone`, which have ended elsewhere.
 */
export function hasEnded(lock: LockHolder, gone: readonly EngineRecord[] = []): boolean {
  const fates = fatesOf(lock, [...recordedEngines(), ...gone]);
  if (fates.includes("running")) return false;
  return fates.includes("ended") || gone.some((record) => isLockOf(record, lock));
}

/** Whether the holder of a lock is recorded on this machine, and still runs. */
export const isRunningHere = (lock: LockHolder): boolean => fatesOf(lock, recordedEngines()).includes("running");

const fatesOf = (lock: LockHolder, records: readonly EngineRecord[]): readonly (Fate | undefined)[] =>
  records.filter((record) => isLockOf(record, lock)).map(({ identity }) => identity && fateOf(identity));

/** A run of an engine, recorded until it ends in order. */
export class EngineRun {
  private isLocked = false;

  private constructor(
    readonly record: EngineRecord,
    private readonly file: string | undefined,
  ) {}

  /** Call it before the engine takes its lock. `at`: when the run began, if that was earlier. */
  static begin(pid: number, at = Date.now()): EngineRun {
    const identity = identify(pid);
    const record = { host: hostname(), pid, at, ...(identity && { identity }) };
    const run = new EngineRun(record, identity && fileOf(identity));
    run.write(record);
    return run;
  }

  /** The engine works now, so it has its lock. */
  locked(): void {
    if (this.isLocked) return;
    this.isLocked = true;
    this.write({ ...this.record, locked: Date.now() });
  }

  /** An engine that did not end `inOrder` may have left its lock. */
  end(inOrder: boolean): void {
    if (inOrder && this.file !== undefined) rmSync(this.file, { force: true });
  }

  /** Without a record, its lock is not removed automatically, which is not worth a failure. */
  private write(record: EngineRecord): void {
    if (this.file === undefined) return;
    try {
      writePrivateSync(this.file, JSON.stringify(record));
    } catch {
      return;
    }
  }
}

/** Returns the engines that were recorded on this machine by this user, of the last weeks. */
function recordedEngines(): EngineRecord[] {
  const home = homeOfRecords();
  if (!isPrivate(home)) return [];
  return [weekOf(Date.now()), weekOf(Date.now() - WEEK_MS)].flatMap((week) =>
    filesOf(path.join(home, week)).flatMap((file) => parseRecord(file)),
  );
}

/** The folder is shared with nobody, so that nobody else can make a lock look like that of an ended process. */
function isPrivate(folder: string): boolean {
  try {
    const { uid, mode } = lstatSync(folder);
    return uid === userId() && (mode & 0o077) === 0;
  } catch (error) {
    if (isMissing(error)) return false; // Nothing was recorded yet.
    throw error;
  }
}

const homeOfRecords = (): string => path.join(tmpdir(), `stackyard-engines-${userId()}`);
const weekOf = (time: number): string => String(Math.floor(time / WEEK_MS));

/** Creates the folder of the week, and removes those of weeks long ago. Undefined if the folder is not ours. */
function fileOf({ boot, namespace, pid, start }: ProcessIdentity): string | undefined {
  try {
    const home = homeOfRecords();
    const now = Date.now();
    const folder = path.join(home, weekOf(now));
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) {
      const kept = new Set([weekOf(now), weekOf(now - WEEK_MS)]);
      for (const week of readdirSync(home)) {
        if (!kept.has(week)) rmSync(path.join(home, week), { recursive: true, force: true });
      }
    }
    return isPrivate(home) ? path.join(folder, `${boot}_${namespace}_${pid}_${start}.json`) : undefined;
  } catch {
    return undefined; // A file system without room or rights.
  }
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Empty for a file that is being written or removed, or was cut off. */
function parseRecord(file: string): EngineRecord[] {
  try {
    const record: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(record) ? [record as unknown as EngineRecord] : [];
  } catch {
    return [];
  }
}
