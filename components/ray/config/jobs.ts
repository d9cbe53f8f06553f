import { isRemoteFolder, isUri, REMOTE_FOLDER, runtimeEnvFaults, unknownKeys } from "../../../foundation/rayJob/rayJob";
import { mismatch, renderPath, type Path } from "../../../foundation/schema/faults";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";
import { readWorkingFolder, WORKING_FOLDER } from "../../../foundation/rayJob/workingFolder";
import { offersOf, offersText, type Offer } from "./offers";
import type { JobInput, RayJobSettings } from "./jobSchema";
import type { RayClusterInput } from "./schema";

/** Decoding of the jobs of a Ray cluster. */

/** Kubernetes allows 1 MiB for a ConfigMap, and Base64 needs a third more. */
const CONFIG_MAP_BYTES = 700_000;
/** Kubernetes appends the time to the name of a CronJob. */
const CRON_JOB_NAME = 52;

export const cronJobName = (cluster: string, job: string): string => `${cluster}-ray-${job}`;

/** Decodes the jobs of the cluster called `name`. Adds faults to the resolver. */
export function decodeJobs(name: string, input: RayClusterInput, resolver: Resolver): readonly RayJobSettings[] {
  const offers = offersOf(input);
  return Object.entries(input.jobs).map(([key, job]) => {
    const base = ["ray", name, "jobs", key];
    checkJob(base, job, offers, resolver);
    const nameOfCronJob = cronJobName(name, key);
    if (job.schedule !== undefined && nameOfCronJob.length > CRON_JOB_NAME) {
      const expected = `a shorter name: the CronJob ${nameOfCronJob} may have ${CRON_JOB_NAME} characters`;
      resolver.faults.push(mismatch(base, JSON.stringify(key), expected));
    }
    const { workingDir, ...settings } = job;
    return {
      ...settings,
      key,
      isSecret: resolver.place.secretKeys.has("ray"),
      ...(workingDir !== undefined && sourceOf([...base, "workingDir"], workingDir, job, resolver)),
    };
  });
}

function checkJob(base: Path, job: JobInput, offers: readonly Offer[], { place, faults, warnings }: Resolver): void {
  for (const { path, expected, hint } of runtimeEnvFaults(job.runtimeEnv)) {
    const at = [...base, "runtimeEnv", ...path];
    faults.push(mismatch(at, foundAt(place, at), expected, hint));
  }
  for (const { path, expected, hint } of unknownKeys(job.runtimeEnv)) {
    const { message } = mismatch([], "an unknown key", expected, hint);
    warnings.push(`stackyard:${renderPath([...base, "runtimeEnv", ...path])}: ${message}`);
  }
  if (job.schedule !== undefined && job.waitFor !== undefined) {
    faults.push(mismatch([...base, "waitFor"], job.waitFor, "none, because no update waits for a job with a schedule"));
  }
  const wanted = wantedBy(job);
  const fits = ({ resources }: Offer): boolean =>
    Object.entries(wanted).every(([resource, amount]) => isImplicit(resource) || amount <= (resources[resource] ?? 0));
  if (Object.keys(wanted).length === 0 || offers.some(fits)) return;
  faults.push(mismatch(base, amountsText(wanted), `what a pod of the cluster offers to Ray: ${offersText(offers)}`));
}

/** What the entrypoint reserves, in Ray's names and units. */
function wantedBy({ cpus, gpus, memoryGb, resources }: JobInput): Readonly<Record<string, number>> {
  return {
    ...resources,
    ...(cpus !== undefined && { CPU: cpus }),
    ...(gpus !== undefined && { GPU: gpus }),
    ...(memoryGb !== undefined && { memoryGb }),
  };
}

/** Resources that Ray itself adds to nodes: their addresses, the types of their accelerators, the slices of TPUs. */
const isImplicit = (resource: string): boolean => /^(node:|accelerator_type:|TPU-)/.test(resource);

const amountsText = (amounts: Readonly<Record<string, number>>): string =>
  Object.entries(amounts)
    .map(([resource, amount]) => `${resource} ${amount}`)
    .join(", ");

/** The folder or archive of a job. Adds a fault if there is none. */
function sourceOf(
  path: Path,
  workingDir: string,
  { schedule }: JobInput,
  { files, place, faults }: Resolver,
): Pick<RayJobSettings, "folder" | "content" | "uri"> {
  if (isUri(workingDir)) {
    if (!isRemoteFolder(workingDir)) faults.push(mismatch(path, foundAt(place, path), REMOTE_FOLDER));
    return { uri: workingDir };
  }
  const read = readWorkingFolder(files, workingDir);
  if ("trouble" in read) {
    faults.push(mismatch(path, `${foundAt(place, path)}, ${read.trouble}`, WORKING_FOLDER));
    return {};
  }
  const { content, sha256 } = read;
  const size = [...content.values()].reduce((sum, { length }) => sum + length, 0);
  if (schedule !== undefined && size > CONFIG_MAP_BYTES) {
    const expected = `at most ${CONFIG_MAP_BYTES} bytes, because a job with a schedule has its folder in a ConfigMap`;
    faults.push(
      mismatch(path, `${foundAt(place, path)}, a folder with ${size} bytes`, expected, "or an archive by URI"),
    );
  }
  return { folder: { path: workingDir, sha256 }, ...(schedule !== undefined && { content }) };
}
