/** Preserves the replicas that an autoscaler set, which applying the object would reset. */

import { isConflict, isFieldConflict } from "../client/apiError";
import { isList, listAt, numberAt } from "../client/objects";
import type { KubeObject, Ref } from "../client/objects";
import type { Client } from "../client/client";
import { isObject, type Json } from "../../foundation/json/isObject";

const CONFLICT_TRIES = 10;

/**
 * Applies a RayCluster with the current replicas of its groups. The API server treats the groups as one value: fields that the
 * program omits would get their defaults.
 */
export async function applyScaled(client: Client, object: KubeObject, ref: Ref): Promise<KubeObject> {
  for (let attempt = 1; ; attempt++) {
    const live = await client.get(ref);
    try {
      return await client.apply(live === undefined ? object : withLiveReplicas(object, live));
    } catch (error) {
      if (live === undefined || !isConflict(error) || isFieldConflict(error) || attempt >= CONFLICT_TRIES) throw error;
    }
  }
}

/** Pure. Includes the resourceVersion, so that a concurrent change by the autoscaler is a conflict. */
export function withLiveReplicas(object: KubeObject, live: KubeObject): KubeObject {
  const spec = object["spec"];
  if (!isObject(spec) || !isList(spec["workerGroupSpecs"])) return object;
  const before = listAt(live, "spec", "workerGroupSpecs");
  const groups = (spec["workerGroupSpecs"] as Json[]).map((group) => {
    const old = before.find(({ groupName }) => groupName === group["groupName"]);
    return old === undefined || "replicas" in group ? group : keeping(group, old);
  });
  const { resourceVersion } = live.metadata as { readonly resourceVersion?: string };
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion },
    spec: { ...spec, workerGroupSpecs: groups },
  };
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
