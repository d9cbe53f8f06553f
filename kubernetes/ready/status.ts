/** Reads the current status of the objects of a set. Changes nothing. */

import type { Client } from "../client/client";
import { describe, listAt, numberAt, parseInventoryKey, textAt } from "../client/objects";
import type { KubeObject, Ref } from "../client/objects";
import { capacityOf, claimsOf, isClaim, isStatefulSet } from "../claims/claims";
import { forAll } from "../client/pool";
import { hasPods, isAwaited, rollout } from "./rollout";
import { podsOf, reasonsOf } from "../reasons/collect";
import { isReady } from "../reasons/pod";

export interface ObjectStatus {
  /** `StatefulSet runtimes/runtime-acme`. */
  readonly object: string;
  /** `missing`: it was deleted outside of the stack. */
  readonly state: "ready" | "waiting" | "missing";
  /** Progress, or where to reach it: `0 of 1 pods ready`, the address of an Ingress. */
  readonly detail: string;
  /** Why it is not ready, and related objects: pods, claims. */
  readonly lines: readonly string[];
}

/** `inventory` as in the set's state. Throws an ApiError if the API server returns an error. */
export function statusOf(client: Client, inventory: readonly string[]): Promise<ObjectStatus[]> {
  return forAll(inventory, async (key) => {
    const ref = parseInventoryKey(key);
    const live = await client.get(ref);
    if (!live) return { object: describe(ref), state: "missing", detail: "deleted outside of the stack", lines: [] };
    const how = rollout(live);
    const reasons = how.done ? [] : await reasonsOf(client, live);
    return {
      object: describe(ref),
      state: how.done ? "ready" : "waiting",
      detail: how.done ? detailOf(live) : (how.failed ?? how.progress),
      lines: [...(await belongings(client, ref, live)), ...reasons.map(({ text }) => text)],
    };
  });
}

/** Details of a healthy object for users. */
function detailOf(live: KubeObject): string {
  if (hasPods(live) && live.kind !== "Pod") {
    const replicas = numberAt(live, "spec", "replicas") ?? 1;
    return replicas === 0 ? "scaled to zero" : `${numberAt(live, "status", "readyReplicas") ?? 0} of ${replicas} ready`;
  }
  if (isClaim(live)) return sizeOf(live);
  if (live.kind === "Ingress") {
    const hosts = listAt(live, "spec", "rules").flatMap((rule) => textAt(rule, "host") ?? []);
    const given = listAt(live, "status", "loadBalancer", "ingress");
    const addresses = given.flatMap((one) => textAt(one, "ip") ?? textAt(one, "hostname") ?? []);
    return `${hosts.join(", ")} at ${addresses.join(", ") || "no address yet: has its class a controller?"}`;
  }
  if (live.kind === "Service") return textAt(live, "spec", "clusterIP") ?? "";
  return isAwaited(live) ? "" : "there";
}

async function belongings(client: Client, ref: Ref, live: KubeObject): Promise<string[]> {
  if (!hasPods(ref)) return [];
  const { pods } = await podsOf(client, live);
  const claims = isStatefulSet(ref) ? await claimsOf(client, [live]) : [];
  return [
    ...pods.map((pod) => `pod ${pod.metadata.name}: ${podReason(pod)}`),
    ...claims.map((claim) => `claim ${claim.metadata.name}: ${sizeOf(claim)}`),
  ];
}

function podReason(pod: KubeObject): string {
  const phase = textAt(pod, "status", "phase") ?? "Pending";
  const node = textAt(pod, "spec", "nodeName");
  const restarts = listAt(pod, "status", "containerStatuses").reduce(
    (sum, container) => sum + (numberAt(container, "restartCount") ?? 0),
    0,
  );
  return [
    isReady(pod) ? "ready" : phase,
    node === undefined ? "on no node yet" : `on ${node}`,
    restarts > 0 ? `${restarts} restarts` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function sizeOf(claim: KubeObject): string {
  const phase = textAt(claim, "status", "phase") ?? "Pending";
  const bytes = capacityOf(claim);
  return bytes === undefined ? phase : `${phase}, ${Number((bytes / 2 ** 30).toFixed(1))} GiB`;
}
