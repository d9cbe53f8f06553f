import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { readFile, stat } from "node:fs/promises";
import * as path from "node:path";
import { setNameOf } from "../../foundation/pulumi/setName";
import { randomBytes, createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RayEndpoint } from "../../components/contract/site";
import type { Context } from "../context";
import { exportedState } from "../../engine/stack/exported";
import { EXIT, Failure, UsageError } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { clientOf, isSet } from "../../engine/stack/cluster";
import { onInterrupt } from "../../engine/process/interrupt";
import { platformReference } from "../../engine/stack/names";
import { filesIn } from "../folder";
import { rayEndpoint } from "./clusters";
import { hasEnded, RayJobs, type JobStatus, type RuntimeEnv } from "./jobs";

/** Ray's limit for an upload. */
const LIMIT_MB = 100;

/** Folders that jobs never need. */
const SKIPPED = new Set([".git", ".venv", "__pycache__", "node_modules"]);

interface Archive {
  readonly content: Uint8Array;
  /** SHA-256 of names and contents, so that the same folder always has the same digest. */
  readonly digest: string;
}

/** Packs a folder into an archive for Ray. */
export async function archiveOf(folder: string): Promise<Archive> {
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) throw new UsageError(`working folder: found ${folder}; expected an existing folder`);
  const hash = createHash("sha256");
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  let size = 0;
  for (const name of await filesIn(folder, SKIPPED)) {
    const content = await readFile(path.join(folder, name));
    size += content.length;
    if (size > LIMIT_MB * 1e6) {
      throw new Failure(
        `${folder} has more than ${LIMIT_MB} MB, which is too much for a working folder; put data into a bucket, or code into an image`,
      );
    }
    hash.update(`${name}\0${content.length}\0`).update(content);
    await zip.add(name, new Uint8ArrayReader(content));
  }
  return { content: await zip.close(), digest: hash.digest("hex") };
}

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
  await jobs.submit(id, shellLine(command), env);
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
): Promise<RuntimeEnv> {
  let uri = workingDir;
  if (workingDir !== undefined && !/^[a-z][a-z0-9+]*:\/\//.test(workingDir)) {
    status(`  handing over ${workingDir}`);
    const { content, digest } = await archiveOf(workingDir);
    uri = await jobs.upload(content, digest);
  }
  return { ...(uri && { working_dir: uri }), ...(env && { env_vars: env }), ...(pip && { pip }) };
}

/** Opens the jobs API of a cluster: the platform's state has the access to Kubernetes, and Kubernetes has the token. */
export async function jobsOf(
  workspace: Workspace,
  stack: string,
  name: string,
  endpoint: RayEndpoint,
): Promise<RayJobs> {
  const { resources } = await exportedState(platformReference(stack), workspace);
  const set = resources.find((one) => isSet(one) && setNameOf(one.inputs) === `ray-${name}`) ?? resources.find(isSet);
  if (set === undefined) throw new Failure(`the state of ${stack} does not say how its cluster is reached`);
  const client = clientOf(set, PATIENCE_MS);
  const { authSecret, namespace } = endpoint;
  if (authSecret === undefined) return new RayJobs(client, endpoint);
  const secret = await client.get({ apiVersion: "v1", kind: "Secret", namespace, name: authSecret });
  const token = (secret?.["data"] as Readonly<Record<string, string>> | undefined)?.["auth_token"];
  if (token === undefined) throw new Failure(`the Secret ${namespace}/${authSecret} has no key auth_token`);
  return new RayJobs(client, endpoint, Buffer.from(token, "base64").toString("utf8").trim());
}
