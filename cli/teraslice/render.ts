import { readFile } from "node:fs/promises";
import { decodeTerasliceAlone } from "../../components/teraslice/config/alone";
import { SINGLE } from "../../components/teraslice/settings";
import { isObject } from "../../foundation/json/isObject";
import { renderPath, ConfigError } from "../../foundation/schema/faults";
import { jobOwner, withOwner } from "../../components/teraslice/job/owner";
import { parseJobFile } from "../../components/teraslice/job/file";
import { footprint, footprintText } from "../../components/teraslice/job/footprint/footprint";
import type { TerasliceConfig, TerasliceJob } from "../../components/teraslice/job/settings";
import { jobFaults, type JobFault } from "../../components/teraslice/job/validate";
import { projectFiles } from "../../foundation/schema/files";
import { describedStack } from "../project/stacks";
import type { RenderOptions, TerasliceOptions } from "./options";
import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { entryName } from "./entries";
import { whichMaster } from "./which";

type JsonMap = Readonly<Record<string, unknown>>;

/**
 * Returns Teraslice from a stack's file, even if it is disabled. Only the job `job` is included, so that faults in
 * other jobs don't matter. Encrypted values stay encrypted.
 */
async function describedTeraslice(
  root: string,
  { stack, cluster }: TerasliceOptions,
  job: string,
): Promise<TerasliceConfig> {
  const { config, file } = await describedStack(root, stack);
  const named = isObject(config["terasliceClusters"]) ? Object.keys(config["terasliceClusters"]) : [];
  const names = [...(config["teraslice"] === undefined ? [] : [SINGLE]), ...named];
  const none = `${file} has no stackyard:teraslice; the settings of a master are what pods of jobs follow from`;
  if (names.length === 0) throw new Failure(none);
  const name = whichMaster(cluster, names, file);
  const base = name === SINGLE ? ["teraslice"] : ["terasliceClusters", name];
  try {
    const described = decodeTerasliceAlone(withJob(config, base, job), projectFiles(root), base);
    if (described !== undefined) return described;
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error;
  }
  throw new Failure(none);
}

function withJob(config: JsonMap, [key = "", ...inner]: readonly string[], name: string): JsonMap {
  const [cluster] = inner;
  const all = config[key];
  if (cluster !== undefined) return isObject(all) ? { ...config, [key]: withJob(all, [cluster], name) } : config;
  if (!isObject(all) || !isObject(all["jobs"])) return config;
  const jobs = Object.fromEntries(Object.entries(all["jobs"]).filter(([each]) => each === name));
  return { ...config, [key]: { ...all, jobs: readable(jobs) } };
}

/** Placeholder for an encrypted value in a stack file. */
const ENCRYPTED = "encrypted";

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (!isObject(value)) return value;
  if (Object.keys(value).length === 1 && typeof value["secure"] === "string") return ENCRYPTED;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readable(each)]));
}

/** Prints the objects of a job, or all its faults if it can't run. */
export async function render(context: Context, name: string, options: RenderOptions): Promise<void> {
  const teraslice = await describedTeraslice(context.root, options, name);
  const [declared] = teraslice.jobs;
  for (const warning of declared?.warnings ?? []) warn(context, warning);
  const job = declared?.job ?? checked(context, name, await read(name, options.stack), teraslice);
  const owned = withOwner(job, jobOwner(options.stack, declared?.key ?? entryName(name)));
  context.print(footprintText(footprint(owned, teraslice, { jobId: options.jobId, exId: options.exId })));
}

const warn = ({ live, colours }: Context, text: string): void => {
  live.line(`${colours.warn("warning:")} ${text}`);
};

async function read(file: string, stack: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : `it can't be read: ${message}`;
    throw new Failure(`${file} is no job of the stack ${stack}, and no job file: ${why}`);
  }
  const parsed = parseJobFile(text);
  if ("trouble" in parsed) throw new Failure(`${file} is ${parsed.trouble}`);
  return parsed.job;
}

/** Reports warnings; throws on errors. */
function checked(context: Context, file: string, job: unknown, settings: TerasliceConfig): TerasliceJob {
  const faults = jobFaults(job, settings);
  const line = ({ path, message }: JobFault): string => [renderPath(path), message].filter(Boolean).join(": ");
  const errors = faults.filter(({ level }) => level === "error");
  for (const fault of faults.filter(({ level }) => level !== "error")) warn(context, `${file}: ${line(fault)}`);
  if (errors.length === 0) return job as TerasliceJob;
  const count = errors.length === 1 ? "1 fault" : `${errors.length} faults`;
  throw new Failure(`${file} has ${count}:\n${errors.map((fault) => `  - ${line(fault)}`).join("\n")}`);
}
