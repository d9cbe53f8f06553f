import { readFile } from "node:fs/promises";
import { renderPath } from "../../foundation/schema/faults";
import { jobOwner, withOwner } from "../../components/teraslice/job/owner";
import { parseJobFile } from "../../components/teraslice/job/file";
import { footprint, footprintText } from "../../components/teraslice/job/footprint/footprint";
import type { TerasliceConfig, TerasliceJob } from "../../components/teraslice/job/settings";
import { jobFaults, type JobFault } from "../../components/teraslice/job/validate";
import type { RenderOptions } from "./options";
import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { describedTeraslice } from "./described";
import { entryName } from "./entries";

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
