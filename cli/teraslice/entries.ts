import * as path from "node:path";
import { Failure, UsageError } from "../errors";
import type { StackFile } from "../stack/file";

/** What a stack file says of Teraslice and its jobs, and how commands change it. */

const KEY = "stackyard:teraslice";
const NAME = /^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/;
const LEGAL = "a-z, 0-9 and inner -, a letter first, 50 characters at most";

/** A job as it is described; its other fields are the user's. */
export interface JobEntry {
  readonly file?: string;
  readonly job?: object;
  readonly state?: string;
  readonly workers?: number;
  readonly assets?: readonly string[];
}

interface Entry {
  readonly enabled?: boolean;
  readonly jobs?: Readonly<Record<string, JobEntry>>;
}

function entryOf(file: StackFile): Entry {
  const found = file.config(KEY) as Entry | undefined;
  if (found !== undefined) return found;
  throw new Failure(`${file.file} has no ${KEY}; describe a master there first, see docs/teraslice.md`);
}

/** Turns Teraslice on or off; its description stays in the file. */
export function turn(file: StackFile, on: boolean): void {
  // Undefined takes the key away: on is what it is by default.
  file.setConfig(KEY, { ...entryOf(file), enabled: on ? undefined : false });
}

export const jobsOf = (file: StackFile): Readonly<Record<string, JobEntry>> => entryOf(file).jobs ?? {};

/** Changes fields of a job that is described. */
export function changeJob(file: StackFile, name: string, change: JobEntry): void {
  const jobs = jobsOf(file);
  const before = jobs[name];
  if (before === undefined) {
    const names = Object.keys(jobs);
    const others = names.length === 0 ? "it has none at all" : `it has ${names.join(", ")}`;
    throw new Failure(`${file.file} has no job ${name}; ${others}. Add one: stackyard teraslice register FILE`);
  }
  setJob(file, name, { ...before, ...change });
}

/**
 * Describes a job file as a job that is registered, or one that is described already. Answers its name. `root` is the
 * project folder, `from` the folder that a relative path is relative to. `assets` are zip files that it gets besides those
 * that are described; one of the same file is not there twice.
 */
export function registerJob(
  file: StackFile,
  job: string,
  name: string | undefined,
  root: string,
  from: string,
  assets: readonly string[] = [],
): string {
  const withAssets = (entry: JobEntry | undefined): JobEntry => {
    const all = [...(entry?.assets ?? []), ...assets.map((asset) => placeOf(path.resolve(from, asset), root))];
    return all.length === 0 ? {} : { assets: [...new Set(all)] };
  };
  if (Object.hasOwn(jobsOf(file), job)) {
    changeJob(file, job, { state: "registered", ...withAssets(jobsOf(file)[job]) });
    return job;
  }
  const called = name ?? nameOf(job);
  if (!NAME.test(called)) {
    throw new UsageError(`name: found ${JSON.stringify(called)}; expected ${LEGAL}; --name gives another one`);
  }
  const before = jobsOf(file)[called];
  const place = placeOf(path.resolve(from, job), root);
  if (before !== undefined && before.file !== place) {
    throw new Failure(
      `${file.file} has a job ${called} already, which is not ${place}; --name gives this one another name`,
    );
  }
  setJob(file, called, { ...before, file: place, state: "registered", ...withAssets(before) });
  return called;
}

function setJob(file: StackFile, name: string, job: JobEntry): void {
  const entry = entryOf(file);
  file.setConfig(KEY, { ...entry, jobs: { ...entry.jobs, [name]: job } });
}

/** Relative to the project folder where it is in there, so that it is the same on every machine. */
function placeOf(file: string, root: string): string {
  const place = path.relative(root, file);
  return place.startsWith("..") ? file : place.split(path.sep).join("/");
}

/** `jobs/Example_Job.json` to `example-job`. */
export const nameOf = (file: string): string =>
  path
    .basename(file)
    .replace(/\.(json|ya?ml)$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
