/** Reads the current status of the objects of a set. Changes nothing. */

import type { Client } from "../client/client";
import { describe, identity, listAt, numberAt, parseInventoryKey, textAt, refOf } from "../objects/objects";
import type { KubeObject, Ref } from "../objects/objects";
import { capacityOf, claimsOf, isClaim, isStatefulSet } from "../claims/claims";
import { forAll } from "../client/pool";
import { isCurrent, ownerText } from "../owners/judge";
import type { SetOwner } from "../owners/ownership";
import type { Claimant } from "../owners/record";
import { readOwner, recordRef } from "../owners/store";
import {
  claimFindings,
  findingText,
  objectFindings,
  recordedFor,
  type ClaimUids,
  type DriftFinding,
} from "../drift/truth";
import { hasPods, isAwaited, rollout } from "../rollout/rollout";
import { podsOf, reasonsOf } from "../reasons/collect";
import { isReady } from "../reasons/pod";

/** A claim of an object. */
export interface DiskStatus {
  /** `namespace/name`. */
  readonly claim: string;
  /** Its capacity; undefined until it is bound. */
  readonly bytes?: number | undefined;
  /** When it was created (RFC 3339). */
  readonly since?: string | undefined;
  /** Whether it is deleted with its set. */
  readonly goes: boolean;
}

export interface ObjectStatus {
  /** `StatefulSet runtimes/runtime-acme`. */
  readonly object: string;
  /** `missing`: it was deleted outside of the stack. `differs`: it, or a claim of it, is not what the set applied. */
  readonly state: "ready" | "waiting" | "missing" | "differs";
  /** Progress, or where to reach it: `0 of 1 pods ready`, the address of an Ingress. */
  readonly detail: string;
  /** How it differs, why it is not ready, and related objects: pods, claims. */
  readonly lines: readonly string[];
  readonly disks: readonly DiskStatus[];
  /** What differs from what the set applied. */
  readonly findings: readonly DriftFinding[];
}

/** What a set applied, as in its state. */
export interface Applied {
  readonly inventory: readonly string[];
  readonly owner: SetOwner;
  /** As given to the set, with its policy for claims. */
  readonly objects: readonly KubeObject[];
  /** Whether claims among its objects stay when it is destroyed. */
  readonly keepsClaims?: boolean;
  /** Undefined in older states. */
  readonly claims?: ClaimUids;
  /** What the state has of the owner's record. Undefined in older states. */
  readonly held?: Pick<Claimant, "generation" | "interrupted">;
}

/** Compares the live objects of a set with what it applied. Throws an ApiError if the API server returns an error. */
export async function objectStatuses(client: Client, applied: Applied): Promise<ObjectStatus[]> {
  const objects = forAll(applied.inventory, async (key): Promise<ObjectStatus> => {
    const ref = parseInventoryKey(key);
    const live = await client.get(ref);
    const given = givenFor(applied, ref);
    const own = objectFindings(live, ref, given, applied.owner);
    const claims = await claimsIn(client, ref, isClaim(ref) ? live : (live ?? given));
    const differing = claimFindings(claims, recordedFor(applied.claims, ref, given));
    const findings = [...own, ...differing];
    const isKept = isClaim(ref) ? applied.keepsClaims === true : textAt(given ?? live, ...WHEN_DELETED) !== "Delete";
    const disks = claims.map((claim) => diskOf(claim, !isKept));
    if (!live) {
      const detail = "deleted outside of the stack";
      return { object: describe(ref), state: "missing", detail, lines: differing.map(findingText), disks, findings };
    }
    const how = rollout(live);
    const reasons = how.done ? [] : await reasonsOf(client, live);
    return {
      object: describe(ref),
      state: findings.length > 0 ? "differs" : how.done ? "ready" : "waiting",
      detail: how.done ? detailOf(live) : (how.failed ?? how.progress),
      lines: [
        ...findings.map(findingText),
        ...(await podLines(client, ref, live)),
        ...claims.map((claim) => `claim ${claim.metadata.name}: ${sizeOf(claim)}`),
        ...reasons.map(({ text }) => text),
      ],
      disks,
      findings,
    };
  });
  return (await Promise.all([recordStatus(client, applied), objects])).flat();
}

/** The record of the owner, if it is missing, of another owner, or of a later change than the state. */
async function recordStatus(client: Client, { owner, held }: Applied): Promise<ObjectStatus[]> {
  if (held === undefined) return [];
  const ref = recordRef({ name: owner.set, namespace: owner.namespace });
  const [record, object] = [(await readOwner(client, ref))?.record, describe(ref)];
  if (record === undefined) {
    const findings: DriftFinding[] = [{ kind: "missing", repairable: true, object, text: "was deleted" }];
    return [{ object, state: "missing", detail: "deleted outside of the stack", lines: [], disks: [], findings }];
  }
  if (record.owner === owner.id && isCurrent(record, held)) return [];
  const text = `is of ${ownerText(record)}, and the state has generation ${held.generation}; an update says what to do`;
  return [
    {
      object,
      state: "differs",
      detail: text,
      lines: [],
      disks: [],
      findings: [{ kind: "foreign", repairable: false, object, text }],
    },
  ];
}

const WHEN_DELETED = ["spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"] as const;

const diskOf = (claim: KubeObject, goes: boolean): DiskStatus => ({
  claim: `${claim.metadata.namespace}/${claim.metadata.name}`,
  bytes: capacityOf(claim),
  since: textAt(claim, "metadata", "creationTimestamp"),
  goes,
});

/** The claims of an object. Those of a StatefulSet may be there without it. */
async function claimsIn(client: Client, ref: Ref, object: KubeObject | undefined): Promise<KubeObject[]> {
  if (object === undefined) return [];
  if (!isStatefulSet(ref)) return isClaim(ref) ? [object] : [];
  const { namespace } = ref;
  return claimsOf(client, [{ ...object, metadata: { ...object.metadata, namespace } }]);
}

/** The object that the set was given for a live one. */
export function givenFor({ objects, owner }: Applied, ref: Ref): KubeObject | undefined {
  return objects.find((object) => {
    const own = refOf(object);
    return [own, { ...own, namespace: own.namespace ?? owner.namespace }].some(
      (one) => identity(one) === identity(ref),
    );
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

async function podLines(client: Client, ref: Ref, live: KubeObject): Promise<string[]> {
  if (!hasPods(ref)) return [];
  const { pods } = await podsOf(client, live);
  return pods.map((pod) => `pod ${pod.metadata.name}: ${podReason(pod)}`);
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
