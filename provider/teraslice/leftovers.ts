/** What a job has in Kubernetes. A master refuses to start a job as long as anything of an earlier execution is left. */

import type { KubeObject } from "../kubernetes/objects";
import { at, describe, numberAt } from "../kubernetes/objects";
import { reasonsOf } from "../manifests/reasons/collect";
import { until } from "../manifests/site";
import type { Site } from "./site";

const JOB_ID = "teraslice.terascope.io/jobId";
const KINDS = [
  { apiVersion: "batch/v1", kind: "Job" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "v1", kind: "Pod" },
] as const;

async function objectsOf(site: Site, jobId: string, kinds: readonly { apiVersion: string; kind: string }[]) {
  const { client, namespace } = site;
  const label = `${JOB_ID}=${jobId}`;
  return (await Promise.all(kinds.map((kind) => client.list({ ...kind, namespace }, { label })))).flat();
}

/** Waits until nothing of a job is left in Kubernetes. */
export async function allGone(site: Site, jobId: string): Promise<void> {
  let left: KubeObject[] = [];
  const look = async (): Promise<true | undefined> => {
    left = await objectsOf(site, jobId, KINDS);
    if (left.length === 0) return true;
    site.log("status", `waits for ${left.length} objects of the last execution to go: ${named(left)}`);
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

/** Why the pods of a job are not ready. `final`: somebody has to change something first. */
export async function troublesOf(site: Site, jobId: string): Promise<{ text: string; final: boolean }[]> {
  const makers = await objectsOf(site, jobId, [KINDS[0], KINDS[2]]);
  return (await Promise.all(makers.map((maker) => reasonsOf(site.client, maker)))).flat();
}

/** How many workers a job has been given in Kubernetes; undefined when it has no Deployment, or several. */
export async function workersOf(site: Site, jobId: string): Promise<number | undefined> {
  const [deployment, ...others] = await objectsOf(site, jobId, [KINDS[2]]);
  if (!deployment || others.length > 0 || at(deployment, "metadata", "deletionTimestamp") !== undefined)
    return undefined;
  return numberAt(deployment, "spec", "replicas");
}
