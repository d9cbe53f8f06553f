import { readFile } from "node:fs/promises";
import { dump } from "js-yaml";
import { renderPath } from "../../components/config/faults";
import { parseJobFile } from "../../components/teraslice/job/file";
import { footprint } from "../../components/teraslice/job/footprint/footprint";
import type { TerasliceJob } from "../../components/teraslice/job/settings";
import { jobFaults, type JobFault } from "../../components/teraslice/job/validate";
import type { TerasliceSettings } from "../../components/teraslice/settings";
import type { RenderOptions } from "../commands/teraslice";
import type { Context } from "../context";
import { Failure, messageOf } from "../errors";
import { describedTeraslice } from "./settings";

/** Prints the objects of a job; where it can't run, all that is wrong with it instead. */
export async function render(context: Context, file: string, options: RenderOptions): Promise<void> {
  const settings = await describedTeraslice(context.root, options.stack);
  const job = checked(context, file, await read(file), settings);
  const { controller, service, workers } = footprint(job, settings, { jobId: options.jobId, exId: options.exId });
  context.print(yaml([controller, service, workers]));
}

/** Objects as the documents of one text. */
const yaml = (objects: readonly object[]): string =>
  objects
    .map((each) => dump(each, { lineWidth: -1, noRefs: true }))
    .join("---\n")
    .trimEnd();

async function read(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${messageOf(error)}`);
  }
  const parsed = parseJobFile(text);
  if ("trouble" in parsed) throw new Failure(`${file} is ${parsed.trouble}`);
  return parsed.job;
}

/** Tells warnings; throws when there is an error. */
function checked({ live, colours }: Context, file: string, job: unknown, settings: TerasliceSettings): TerasliceJob {
  const faults = jobFaults(job, settings);
  const line = ({ path, message }: JobFault): string => [renderPath(path), message].filter(Boolean).join(": ");
  const errors = faults.filter(({ level }) => level === "error");
  for (const fault of faults.filter(({ level }) => level !== "error")) {
    live.line(`${colours.warn("warning:")} ${file}: ${line(fault)}`);
  }
  if (errors.length === 0) return job as TerasliceJob;
  const count = errors.length === 1 ? "1 fault" : `${errors.length} faults`;
  throw new Failure(`${file} has ${count}:\n${errors.map((fault) => `  - ${line(fault)}`).join("\n")}`);
}
