/** Objects of a job in Kubernetes. A master refuses to start a job while objects of an earlier execution remain. */

import type { KubeObject } from "../../../kubernetes/objects/objects";
import { describe, listAt, numberAt } from "../../../kubernetes/objects/objects";
import { reasonsOf } from "../../../kubernetes/reasons/collect";
import { until } from "../../../kubernetes/work/work";
import type { JobSite } from "./site";

const JOB_ID = "teraslice.terascope.io/jobId";
const EX_ID = "teraslice.terascope.io/exId";
const KINDS = [
  { apiVersion: "batch/v1", kind: "Job" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
] as const;
/** If no object is deleted for this share of the time limit, or this long, no controller is deleting them. */
const IDLE_SHARE = 0.1;
const IDLE_MS = 10_000;
/** Minimum time for deletions of our own. */
const SWEEP_MS = 60_000;

/** Location of a job's objects. */
export type Where = Pick<JobSite, "client" | "namespace">;

async function objectsOf(
  { client, namespace }: Where,
  jobId: string,
  kinds: readonly { apiVersion: string; kind: string }[],
) {
  const label = `${JOB_ID}=${jobId}`;
  return (await Promise.all(kinds.map((kind) => client.list({ ...kind, namespace }, { label })))).flat();
}

/** True if the object is not being deleted. */
const stays = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

/** Whether a job has objects in Kubernetes that are not being deleted. */
export async function hasLeftovers(where: Where, jobId: string): Promise<boolean> {
  return (await objectsOf(where, jobId, KINDS)).some(stays);
}

/**
 * Waits until no objects of a stopped job remain in Kubernetes. The master force-deletes objects that no controller
 * deletes, for example because the execution controller ended while the master was down. We delete the rest.
 */
export async function clear(site: JobSite, jobId: string): Promise<void> {
  await removed(site, jobId, [
    async (left) => {
      site.log("status", "leftovers are not removed: the master removes them by force");
      const exIds = new Set(left.map(({ metadata }) => metadata.labels?.[EX_ID] ?? ""));
      for (const exId of exIds) if (exId !== "") await site.master.tidy(exId);
    },
    (left) => sweep(site, left),
  ]);
}

/** Deletes all objects of a job in Kubernetes, without a master. */
export function clearWithoutMaster(site: JobSite, jobId: string): Promise<void> {
  // Waiting for the master may have used up the time limit.
  const deadline = Math.max(site.deadline, Date.now() + SWEEP_MS);
  return removed({ ...site, deadline }, jobId, [(left) => sweep(site, left)], 0);
}

async function sweep({ client, namespace, log }: JobSite, left: readonly KubeObject[]): Promise<void> {
  log("status", `removes ${named(left)}`);
  for (const { apiVersion, kind, metadata } of left) {
    await client.remove({ apiVersion, kind, namespace, name: metadata.name }, { uid: metadata.uid });
  }
}

type Way = (left: readonly KubeObject[]) => Promise<void>;

/**
 * Waits until no objects remain. While there is no progress, tries the next way to delete those that are not being
 * deleted.
 */
async function removed(
  site: JobSite,
  jobId: string,
  ways: readonly Way[],
  idleMs = Math.min(IDLE_MS, site.timeoutSeconds * 1000 * IDLE_SHARE),
): Promise<void> {
  let left: KubeObject[] = [];
  let seen = "";
  let since = Date.now();
  let taken = 0;
  const look = async (): Promise<true | undefined> => {
    left = await objectsOf(site, jobId, KINDS);
    if (left.length === 0) return true;
    site.log("status", `waits for ${left.length} objects of the last execution to go: ${named(left)}`);
    const now = left.map((one) => `${one.metadata.uid} ${stays(one)}`).join();
    if (now !== seen) [seen, since] = [now, Date.now()];
    const way = ways[taken];
    if (way === undefined || Date.now() - since < idleMs || !left.some(stays)) return undefined;
    await way(left.filter(stays));
    taken += 1;
    since = Date.now();
    return undefined;
  };
  await until(site, look, () =>
    Promise.resolve(
      new Error(
        `of the last execution of job ${site.name} ${named(left)} ${left.length === 1 ? "was" : "were"} still there after ` +
          `${site.timeoutSeconds} seconds; see what holds them: kubectl -n ${site.namespace} describe ` +
          left
            .slice(0, 3)
            .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)
            .join(" "),
      ),
    ),
  );
}

const named = (objects: readonly KubeObject[]): string => {
  const names = objects.map(({ apiVersion, kind, metadata }) => describe({ apiVersion, kind, name: metadata.name }));
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
};

/** Reasons why the pods of a job are not ready. `final`: a user must change something first. */
export async function troublesOf(site: JobSite, jobId: string): Promise<{ text: string; final: boolean }[]> {
  const makers = await objectsOf(site, jobId, [KINDS[0], KINDS[2]]);
  return (await Promise.all(makers.map((maker) => reasonsOf(site.client, maker)))).flat();
}

/**
 * Whether the execution controller of a job has ended for good. A master does not notice: it calls the execution running, and its
 * workers wait, after the pod of the controller was lost.
 */
export async function controllerEnded(where: Where, jobId: string): Promise<boolean> {
  const controllers = await objectsOf(where, jobId, [KINDS[0]]);
  const hasEnded = (one: KubeObject): boolean =>
    listAt(one, "status", "conditions").some(
      ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
    );
  return controllers.length > 0 && controllers.every(hasEnded);
}

/** Number of a job's workers in Kubernetes. */
interface Workers {
  readonly wanted: number;
  readonly ready: number;
}

/** Returns the number of a job's workers in Kubernetes; undefined if it has no Deployment, or several. */
export async function workersOf(where: Where, jobId: string): Promise<Workers | undefined> {
  const [deployment, ...others] = await objectsOf(where, jobId, [KINDS[2]]);
  if (!deployment || others.length > 0 || !stays(deployment)) return undefined;
  const wanted = numberAt(deployment, "spec", "replicas");
  return wanted === undefined ? undefined : { wanted, ready: numberAt(deployment, "status", "readyReplicas") ?? 0 };
}
