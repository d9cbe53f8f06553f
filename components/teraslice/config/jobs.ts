import { createHash } from "node:crypto";
import * as z from "zod";
import type { TerasliceAsset } from "../../resources/jobs/terasliceJob";
import { parseJobFile } from "../job/file";
import type { JsonMap } from "../job/merge";
import type { TerasliceJobSettings } from "../job/settings";
import { jobFaults, sameNames } from "../job/validate";
import type { TerasliceSettings } from "../settings";
import { describe } from "../../../foundation/schema/describe";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { count, matching, oneOf, strict, list } from "../../../foundation/schema/fields";
import { tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";
import { isObject } from "../../../foundation/json/isObject";

/** Schema and decoding of Teraslice jobs in a platform's config. */

const EITHER = "either file or job";
const KEY = /^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/;
const path = (of: string) => matching(/^[^\n{}]*[^\s{}]$/, `the path of ${of}`);

const jobSchema = strict("an object with file or job", {
  file: path("a job file").optional().describe("The job as a file, JSON or YAML, relative to the project folder."),
  job: z
    .record(z.string(), z.unknown(), { error: "a job, which is an object with operations" })
    .optional()
    .describe("The job itself, with the field names that Teraslice documents."),
  state: oneOf(["running", "registered"])
    .default("running")
    .describe("`running`: the master runs the job. `registered`: the master has the job but does not run it."),
  workers: count("a whole number from 1").optional().describe("Number of workers. Overrides the number in the job."),
  assets: list(path("a zip file"), "zip files").describe(
    "Zip files of assets that are uploaded to the master first, relative to the project folder.",
  ),
}).refine(({ file, job }) => (file === undefined) !== (job === undefined), { error: EITHER });

export const jobsSchema = z
  .record(matching(KEY, "a name of a-z, 0-9 and inner -, a letter first, 50 characters at most"), jobSchema, {
    error: "an object of jobs by name",
  })
  .default({});

type JobInput = z.output<typeof jobSchema>;

/** A job that could be read, with its key for faults. */
interface Read {
  readonly key: string;
  readonly isSecret: boolean;
  readonly input: JobInput;
  readonly job: JsonMap;
}

/** Decodes jobs and reads their files, in the order of the config. Adds faults to the resolver. */
export function decodeJobs(
  inputs: Readonly<Record<string, JobInput>>,
  settings: TerasliceSettings,
  resolver: Resolver,
  base: Path = ["teraslice"],
): readonly TerasliceJobSettings[] {
  const at: At = (key, ...path) => [...base, "jobs", key, ...path];
  const secret = resolver.place.secretKeys.has(String(base[0]));
  const read = Object.entries(inputs).flatMap(([key, input]): Read[] => {
    const job = jobOf(at(key, "file"), input, resolver);
    if (job === undefined) return [];
    // Leaves other values unchanged. The check reports them.
    const counted = input.workers === undefined || !isObject(job) ? job : { ...job, workers: input.workers };
    return [{ key, isSecret: secret && input.job !== undefined, input, job: counted as JsonMap }];
  });
  const jobs = read.map(({ key, isSecret, input, job }): TerasliceJobSettings => {
    const placedFaults = jobFaults(job, settings, isSecret).map((fault) => ({
      ...fault,
      ...placed(at, key, input, fault),
    }));
    resolver.faults.push(...placedFaults.filter(({ level }) => level === "error"));
    return {
      key,
      job,
      state: input.state,
      assets: assetsOf(at(key, "assets"), input, resolver),
      source: input.file ?? `stackyard:${renderPath(at(key, "job"))}`,
      secret: isSecret,
      warnings: placedFaults.filter(({ level }) => level !== "error").map(line),
    };
  });
  resolver.faults.push(...nameFaults(read, at));
  return jobs;
}

/** Path of a job in the config. */
type At = (key: string, ...path: Path) => Path;
const line = ({ path, message }: Fault): string => `stackyard:${renderPath(path)}: ${message}`;

/** Converts a fault in a job to a fault in the config. A fault in a file is reported at the key of the file. */
function placed(at: At, key: string, { file }: JobInput, { path, message }: Fault): Fault {
  if (file === undefined) return { path: at(key, "job", ...path), message };
  return { path: at(key, "file"), message: [file, renderPath(path), message].filter(Boolean).join(": ") };
}

/** The job from the config or its file; undefined with a fault if the file can't be read. */
function jobOf(path: Path, { file, job }: JobInput, { files, place, faults }: Resolver): unknown {
  if (file === undefined) return job;
  const read = tryRead(files, file);
  const parsed = "trouble" in read ? read : parseJobFile(read.bytes.toString("utf8"));
  if ("job" in parsed) return parsed.job;
  faults.push(mismatch(path, `${foundAt(place, path)}, ${parsed.trouble}`, "a job file, JSON or YAML"));
  return undefined;
}

/** First bytes of a zip file. */
const ZIP = Buffer.from("PK\u0003\u0004", "latin1");

function assetsOf(at: Path, { assets }: JobInput, { files, place, faults }: Resolver): readonly TerasliceAsset[] {
  return assets.flatMap((asset, index) => {
    const path = [...at, index];
    const read = tryRead(files, asset);
    const bytes = "bytes" in read ? read.bytes : Buffer.alloc(0);
    if (bytes.subarray(0, ZIP.length).equals(ZIP)) {
      return [{ path: asset, sha256: createHash("sha256").update(bytes).digest("hex") }];
    }
    const trouble = "trouble" in read ? read.trouble : "no zip file";
    faults.push(mismatch(path, `${foundAt(place, path)}, ${trouble}`, "a zip file"));
    return [];
  });
}

/** Faults for jobs whose Kubernetes objects would have equal names. */
function nameFaults(read: readonly Read[], at: At): Fault[] {
  const named = read.filter(({ job }) => isObject(job));
  return [...sameNames(named.map(({ job }) => job))].flatMap(([index, first]) => {
    const [one, other] = [named[index], named[first]];
    if (one === undefined || other === undefined) return [];
    const expected = `another, because a master calls objects of ${renderPath(at(other.key))} the same`;
    const found = describe(one.job["name"], one.isSecret);
    return [placed(at, one.key, one.input, mismatch(["name"], found, expected))];
  });
}
