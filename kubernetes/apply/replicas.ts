/** Preserves the replicas that an autoscaler set, which applying the object would reset. */

import { isList, listAt, numberAt, type KubeObject } from "../objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

/**
 * A RayCluster with the current replicas of its groups. The API server treats the groups as one value: fields that the
 * program omits would get their defaults. Pure.
 */
export function withLiveReplicas(object: KubeObject, live: KubeObject): KubeObject {
  const spec = object["spec"];
  if (!isObject(spec) || !isList(spec["workerGroupSpecs"])) return object;
  const before = listAt(live, "spec", "workerGroupSpecs");
  const groups = (spec["workerGroupSpecs"] as Json[]).map((group) => {
    const old = before.find(({ groupName }) => groupName === group["groupName"]);
    return old === undefined || "replicas" in group ? group : keeping(group, old);
  });
  return { ...object, spec: { ...spec, workerGroupSpecs: groups } };
}

/** Keeps the current replicas within the new bounds, and the workers that the autoscaler chose for removal. */
function keeping(group: Json, old: Json): Json {
  const replicas = numberAt(old, "replicas");
  if (replicas === undefined) return group;
  const least = numberAt(group, "minReplicas") ?? 0;
  const most = numberAt(group, "maxReplicas") ?? Infinity;
  const { scaleStrategy } = old;
  return {
    ...group,
    replicas: Math.min(Math.max(replicas, least), most),
    ...(scaleStrategy === undefined || "scaleStrategy" in group ? {} : { scaleStrategy }),
  };
}
