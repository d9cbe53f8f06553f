/** What the double of the KubeRay operator reads of a RayCluster, and the status that it writes. Pure. */

import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { isReady } from "../../../kubernetes/reasons/pod";

export interface RayClusterObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly headGroupSpec: { readonly template: Template };
    readonly workerGroupSpecs?: readonly Group[];
  };
  readonly status?: Status;
}
export interface Group {
  readonly groupName: string;
  readonly replicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly template: Template;
}
export interface Template {
  readonly metadata?: { readonly labels?: object; readonly annotations?: object };
  readonly spec: { readonly containers: readonly { readonly env?: readonly { readonly name: string }[] }[] };
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}
interface Status {
  readonly observedGeneration?: number;
  readonly state?: string;
  readonly conditions?: readonly Condition[];
}
export const typeOf = ({ metadata }: KubeObject): string => metadata.labels?.["ray.io/node-type"] ?? "";

export const desiredOf = ({ replicas, minReplicas, maxReplicas }: Group): number =>
  Math.min(Math.max(replicas, minReplicas), maxReplicas);

export const ownerOf = ({ metadata: { name, uid } }: RayClusterObject) => ({
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  name,
  uid,
});

/** Undefined where nothing but the generation is new. */
export function statusOf(
  { metadata, spec, status }: RayClusterObject,
  pods: readonly KubeObject[],
  failed: boolean,
): object | undefined {
  const groups = spec.workerGroupSpecs ?? [];
  const sum = (of: (group: Group) => number): number => groups.reduce((all, group) => all + of(group), 0);
  const head = pods.find((pod) => typeOf(pod) === "head");
  const desired = sum(desiredOf);
  const all = pods.length > 0 && pods.every(isReady);
  const isTrue = (type: string): boolean =>
    status?.conditions?.some((one) => one.type === type && one.status === "True") === true;
  const condition = (type: string, holds: boolean, reason: string): Condition => ({
    type,
    status: holds ? "True" : "False",
    reason,
  });
  const headReason = head ? "HeadPodRunningAndReady" : "HeadPodNotFound";
  const fields = {
    readyWorkerReplicas: pods.filter((pod) => typeOf(pod) === "worker" && isReady(pod)).length,
    desiredWorkerReplicas: desired,
    minWorkerReplicas: sum(({ minReplicas }) => minReplicas),
    maxWorkerReplicas: sum(({ maxReplicas }) => maxReplicas),
    head: { podName: head?.metadata.name ?? "" },
    state: all && !failed && pods.length === desired + 1 ? "ready" : (status?.state ?? ""),
  };
  const conditions = [
    condition("HeadPodReady", head !== undefined && isReady(head), headReason),
    // It stays once everything was ready.
    condition("RayClusterProvisioned", all || isTrue("RayClusterProvisioned"), "AllPodRunningAndReadyFirstTime"),
  ];
  const before = status as Readonly<Record<string, unknown>> | undefined;
  const isSame =
    Object.entries(fields).every(([key, value]) => isDeepStrictEqual(value, before?.[key])) &&
    conditions.every((one) => isTrue(one.type) === (one.status === "True")) &&
    status?.conditions?.length === conditions.length;
  if (isSame) return undefined;
  const lastTransitionTime = new Date().toISOString();
  return {
    ...fields,
    conditions: conditions.map((one) => ({ ...one, message: "", lastTransitionTime })),
    observedGeneration: metadata.generation,
  };
}
