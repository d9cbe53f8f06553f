import { textAt } from "../../../kubernetes/objects/objects";
import { assetFor, whyNoAsset } from "../../../provider/resources/terasliceJob/master/assets";
import { LIVE, isLive, executionStatus } from "../../../provider/resources/terasliceJob/master/execution";
import { textsOf } from "../../../provider/resources/terasliceJob/handOver";
import { workersOf, type Where } from "../../../provider/resources/terasliceJob/leftovers";
import type { Master } from "../../../provider/resources/terasliceJob/master/master";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** A job with a live execution, and what is needed to restore it. */
export interface RunningJob {
  readonly jobId: string;
  readonly name: string;
  readonly status: string;
  /** Runs until it is stopped. A job that runs once must continue where it was. */
  readonly persistent: boolean;
  /** Number of its workers in Kubernetes, if known. */
  readonly workers?: number;
  /** Its own image, which an upgrade of the master does not change. */
  readonly image?: string;
  readonly assets: readonly string[];
}

/** Returns all running jobs of a master, whoever registered them. */
export async function runningJobs(master: Master, where: Where): Promise<RunningJob[]> {
  const list = await master.read("list executions", `/v1/ex?size=10000&status=${LIVE.join(",")}`);
  const live = (Array.isArray(list) ? list.filter(isObject) : []).filter(isLive);
  const jobs = await Promise.all(live.map((execution) => jobOf(execution, master, where)));
  return jobs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function jobOf(execution: Json, master: Master, where: Where): Promise<RunningJob> {
  const jobId = textAt(execution, "job_id") ?? "";
  const [job, workers] = await Promise.all([master.job(jobId), workersOf(where, jobId)]);
  const image = textAt(job, "kubernetes_image");
  return {
    jobId,
    name: textAt(execution, "name") ?? jobId,
    status: executionStatus(execution),
    persistent: textAt(execution, "lifecycle") === "persistent",
    assets: textsOf(job?.["assets"]),
    ...(workers !== undefined && { workers: workers.wanted }),
    ...(image !== undefined && image !== "" && { image }),
  };
}

/** Describes what the upgrade does to a job. */
export function fateOf({ status, persistent, image }: RunningJob): string {
  if (status === "stopping") return "ends, because it is being stopped";
  const back = persistent ? "stopped, started again" : "stopped, recovered where it ended";
  const paused = status === "paused" ? `${back} and paused` : back;
  return image === undefined ? paused : `${paused}, with its own image ${image}`;
}

/** Returns assets that are missing for the Node version in the new image's tag (`…-nodev24.18.0`). */
export async function lackingAssets(jobs: readonly RunningJob[], to: string, master: Master): Promise<string[]> {
  const node = /-node-?v?(\d+)/.exec(to)?.[1];
  const [assets, machine] = await Promise.all([master.assets(), master.machine()]);
  const then = node === undefined ? machine : { ...machine, nodeVersion: Number(node) };
  return jobs.flatMap(({ name, assets: wanted }) =>
    wanted
      .filter((reference) => assetFor(reference, assets, then) === undefined)
      .map((reference) => `job ${name} has no asset ${reference} under it: ${whyNoAsset(reference, assets)}`),
  );
}
