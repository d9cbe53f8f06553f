import * as path from "node:path";
import { Failure, UsageError } from "../../foundation/errors";
import { SINGLE } from "../../components/teraslice/settings";
import type { StackFile } from "../../engine/stack/file";
import { whichMaster } from "./which";

/** Reads and changes the description of Teraslice and its jobs in a stack file. */

const KEY = "stackyard:teraslice";
const CLUSTERS = "stackyard:terasliceClusters";
const NAME = /^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/;
const LEGAL = "a-z, 0-9 and inner -, a letter first, 50 characters at most";

/** The fields of a job's description that commands change. */
interface JobEntry {
  readonly file?: string;
  readonly job?: object;
  readonly state?: string;
  readonly workers?: number;
  readonly assets?: readonly string[];
}

interface Entry {
  readonly enabled?: boolean;
  readonly image?: string;
  readonly settings?: { readonly kubernetes_image?: string };
  readonly jobs?: Readonly<Record<string, JobEntry>>;
}

/** A master that a stack file describes. */
export class Described {
  private constructor(
    readonly file: StackFile,
    /** `default`: the one at `stackyard:teraslice`. */
    private readonly name: string,
  ) {}

  /** Returns the requested master, or the only one; see {@link whichMaster}. */
  static find(file: StackFile, asked: string | undefined): Described {
    const named = Object.keys(file.config(CLUSTERS) ?? {});
    const names = [...(file.config(KEY) === undefined ? [] : [SINGLE]), ...named];
    if (names.length > 0) return new Described(file, whichMaster(asked, names, file.file));
    throw new Failure(`${file.file} has no ${KEY}; describe a master there first, see docs/teraslice.md`);
  }

  get entry(): Entry {
    const found = this.name === SINGLE ? this.file.config(KEY) : this.#named()[this.name];
    return found ?? {};
  }

  set(entry: Entry): void {
    if (this.name === SINGLE) return this.file.setConfig(KEY, entry);
    this.file.setConfig(CLUSTERS, { ...this.#named(), [this.name]: entry });
  }

  get jobs(): Readonly<Record<string, JobEntry>> {
    return this.entry.jobs ?? {};
  }

  #named(): Readonly<Record<string, unknown>> {
    return (this.file.config(CLUSTERS) ?? {}) as Readonly<Record<string, unknown>>;
  }
}

/** Enables or disables a master; its description stays in the file. */
export function turn(master: Described, on: boolean): void {
  // Undefined removes the key: masters are enabled by default.
  master.set({ ...master.entry, enabled: on ? undefined : false });
}

/** Changes fields of a job's description. */
export function changeJob(master: Described, name: string, change: JobEntry): void {
  const { jobs, file } = master;
  const before = jobs[name];
  if (before === undefined) {
    const names = Object.keys(jobs);
    const others = names.length === 0 ? "it has none at all" : `it has ${names.join(", ")}`;
    throw new Failure(`${file.file} has no job ${name}; ${others}. Add one: stackyard teraslice register FILE`);
  }
  setJob(master, name, { ...before, ...change });
}

/**
 * Adds a job file to the descriptions, or updates its existing description. Returns the job's name. `root`: the project
 * folder; `from`: the base of relative paths. `assets`: zip files to add to the described ones, without duplicates.
 */
export function registerJob(
  master: Described,
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
  const { jobs, file } = master;
  if (Object.hasOwn(jobs, job)) {
    changeJob(master, job, { state: "registered", ...withAssets(jobs[job]) });
    return job;
  }
  const called = name ?? entryName(job);
  if (!NAME.test(called)) {
    throw new UsageError(`name: found ${JSON.stringify(called)}; expected ${LEGAL}; --name gives another one`);
  }
  const before = jobs[called];
  const place = placeOf(path.resolve(from, job), root);
  if (before !== undefined && before.file !== place) {
    throw new Failure(
      `${file.file} has a job ${called} already, which is not ${place}; --name gives this one another name`,
    );
  }
  setJob(master, called, { ...before, file: place, state: "registered", ...withAssets(before) });
  return called;
}

function setJob(master: Described, name: string, job: JobEntry): void {
  const { entry } = master;
  master.set({ ...entry, jobs: { ...entry.jobs, [name]: job } });
}

/** Relative to the project folder if the file is in it, so that it works on every machine. */
function placeOf(file: string, root: string): string {
  const place = path.relative(root, file);
  return place.startsWith("..") ? file : place.split(path.sep).join("/");
}

/** Derives a name: `jobs/Example_Job.json` gives `example-job`. */
export const entryName = (file: string): string =>
  path
    .basename(file)
    .replace(/\.(json|ya?ml)$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
