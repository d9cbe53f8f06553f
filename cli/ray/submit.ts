import { setNameOf } from "../../foundation/pulumi/setName";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RayEndpoint } from "../../components/contract/site";
import { isUri } from "../../foundation/rayJob/rayJob";
import { projectFiles } from "../../foundation/schema/files";
import { readWorkingFolder, WORKING_FOLDER } from "../../foundation/rayJob/workingFolder";
import { archiveOf } from "../../provider/resources/rayJob/archive";
import { hasEnded, RayJobs, type JobRequest, type JobStatus } from "../../provider/resources/rayJob/jobs";
import { tokenIn } from "../../provider/resources/rayJob/token";
import type { Context } from "../context";
import { exportedState } from "../../engine/stack/exported";
import { EXIT, Failure, UsageError } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { clientOf, isSet } from "../../engine/stack/cluster";
import { onInterrupt } from "../../engine/process/interrupt";
import { platformReference } from "../../engine/stack/names";
import { rayEndpoint } from "./clusters";

/** Short, because a user is waiting. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

export interface SubmitOptions {
  readonly stack: string;
  /** Working folder of the job, or a URI that Ray fetches. */
  readonly workingDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pip?: readonly string[];
  /** False: don't wait for the end. */
  readonly wait: boolean;
}

/** Quotes words for the shell with which Ray starts a job. */
export const shellLine = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Runs a command as a job on a Ray cluster of the platform and prints its output. Fails if the job fails. */
export async function submit(
  context: Context,
  name: string,
  command: readonly string[],
  options: SubmitOptions,
): Promise<void> {
  const { live } = context;
  live.status("  looking for the cluster");
  const endpoint = await rayEndpoint(context.platforms, options.stack, name);
  const jobs = await jobsOf(context.platforms, options.stack, name, endpoint);
  const id = `stackyard-${randomBytes(8).toString("hex")}`;
  const env = await runtimeEnv(jobs, options, (text) => live.status(text));
  await jobs.submit({ submission_id: id, entrypoint: shellLine(command), runtime_env: env });
  live.line(`  job ${id} on ${name}`);
  if (!options.wait) {
    live.end();
    return context.print(id);
  }
  const goesOn = `the job continues: stackyard ray logs ${name} ${id}, stackyard ray stop ${name} ${id}`;
  const left = onInterrupt(() => live.line(`  ${goesOn}`));
  try {
    await follow(context, jobs, id);
  } finally {
    left();
  }
}

/** Prints the growing log until the job has ended. */
export async function follow({ live }: Context, jobs: RayJobs, id: string): Promise<void> {
  let printed = 0;
  for (;;) {
    // Reads the status first, so that the log read afterwards is complete for this status.
    const status = await jobs.status(id);
    const log = await jobs.log(id);
    if (log.length > printed) live.end();
    process.stdout.write(log.slice(printed));
    printed = log.length;
    if (hasEnded(status)) return reportEnd(status, id);
    if (printed === 0) live.status(`  ${status.status.toLowerCase()}`);
    await sleep(LOOK_EVERY_MS);
  }
}

function reportEnd({ status, message }: JobStatus, id: string): void {
  if (status === "SUCCEEDED") return;
  process.exitCode = EXIT.failure;
  throw new Failure(`job ${id} ${status === "STOPPED" ? "was stopped" : "failed"}${message ? `: ${message}` : ""}`);
}

async function runtimeEnv(
  jobs: RayJobs,
  { workingDir, env, pip }: SubmitOptions,
  status: (text: string) => void,
): Promise<JobRequest["runtime_env"]> {
  let uri = workingDir;
  if (workingDir !== undefined && !isUri(workingDir)) {
    status(`  handing over ${workingDir}`);
    const read = readWorkingFolder(projectFiles("."), workingDir);
    if ("trouble" in read)
      throw new UsageError(`working folder: found ${workingDir}, ${read.trouble}; expected ${WORKING_FOLDER}`);
    uri = await jobs.upload(() => archiveOf(read.content), read.sha256);
  }
  return { ...(uri && { working_dir: uri }), ...(env && { env_vars: env }), ...(pip && { pip }) };
}

/** Opens the jobs API of a cluster: the platform's state has the access to Kubernetes, and Kubernetes has the token. */
export async function jobsOf(
  workspace: Workspace,
  stack: string,
  name: string,
  { namespace, service, dashboard, authSecret }: RayEndpoint,
): Promise<RayJobs> {
  const { resources } = await exportedState(platformReference(stack), workspace);
  const set = resources.find((one) => isSet(one) && setNameOf(one.inputs) === `ray-${name}`) ?? resources.find(isSet);
  if (set === undefined) throw new Failure(`the state of ${stack} does not say how its cluster is reached`);
  const client = clientOf(set, PATIENCE_MS);
  const token = authSecret === undefined ? undefined : await tokenIn(client, namespace, authSecret);
  return new RayJobs(client, { namespace, name: service, port: Number(new URL(dashboard).port) }, token);
}
