/** The record of an owner as annotations of a Kubernetes object, readable by kubectl. Pure. */

import { createHash } from "node:crypto";
import { printable } from "../../foundation/text/printable";
import { OWNER_ANNOTATION, ownerIdOn } from "../identity/ownerId";
import { objectIn, type Json } from "../../foundation/json/isObject";
import { without, type KubeObject } from "../objects/objects";
import type { OwnerRecord } from "./record";

/**
 * Label of objects with a record. Its value is {@link urnLabel} of the owner, so that all places of one resource are
 * found.
 */
export const RECORD_LABEL = "stackyard.dev/owner-record";

/** What the record of an owner in a cluster has besides. */
export interface Details {
  /** URN of the resource. */
  readonly urn: string;
  readonly clusterUid?: string;
  /** UIDs of the PersistentVolumeClaims, by `namespace/name`. */
  readonly claims?: Readonly<Record<string, string>>;
  /** Ids of earlier owners, until the current one has taken all of their objects over. */
  readonly former?: readonly string[];
  /** Generation that the guard of a platform has seen. The guard has an older one in an older state. */
  readonly guarded?: number;
}

const annotation = (name: string): string => `stackyard.dev/owner-${name}`;

const TEXTS = {
  stack: annotation("stack"),
  backend: annotation("backend"),
  changedAt: annotation("changed-at"),
  changedBy: annotation("changed-by"),
} as const;
const GENERATION = annotation("generation");
const FROM = annotation("from");
const PHASE = annotation("phase");
const OFFERED_TO = annotation("offered-to");
const URN = annotation("urn");
const CLUSTER_UID = annotation("cluster-uid");
const CLAIMS = annotation("claims");
const FORMER = "stackyard.dev/former-owner-ids";
const GUARDED = annotation("guarded-generation");

const DETAILS = [URN, CLUSTER_UID, CLAIMS, FORMER, GUARDED];
const ALL = [OWNER_ANNOTATION, ...Object.values(TEXTS), GENERATION, FROM, PHASE, OFFERED_TO, ...DETAILS];

/** A URN as the value of a label, which can hold neither its length nor its characters. */
export const urnLabel = (urn: string): string => createHash("sha256").update(urn).digest("hex").slice(0, 40);

/** Undefined if the object has none, or none that is complete. */
export function recordOn(object: Pick<KubeObject, "metadata">): OwnerRecord | undefined {
  const { annotations = {} } = object.metadata;
  const owner = ownerIdOn(object);
  const [generation, from] = [Number(annotations[GENERATION]), Number(annotations[FROM])];
  const text = (key: string): string => printable(annotations[key] ?? "");
  if (owner === undefined || !Number.isSafeInteger(generation) || !Number.isSafeInteger(from)) return undefined;
  return {
    owner,
    stack: text(TEXTS.stack),
    backend: text(TEXTS.backend),
    generation,
    from,
    phase: annotations[PHASE] === "applying" ? "applying" : "applied",
    changedAt: text(TEXTS.changedAt),
    changedBy: text(TEXTS.changedBy),
    ...(annotations[OFFERED_TO] !== undefined && { offeredTo: text(OFFERED_TO) }),
  };
}

export function detailsOn({ metadata: { annotations = {} } }: Pick<KubeObject, "metadata">): Details {
  const [clusterUid, claims, former] = [annotations[CLUSTER_UID], annotations[CLAIMS], annotations[FORMER]];
  const guarded = Number(annotations[GUARDED]);
  return {
    urn: annotations[URN] ?? "",
    ...(clusterUid !== undefined && { clusterUid }),
    ...(claims !== undefined && { claims: claimsIn(claims) }),
    ...(former !== undefined && { former: former.split(",") }),
    ...(Number.isSafeInteger(guarded) && { guarded }),
  };
}

/** Claims that someone has damaged count as none; the next change records them again. */
const claimsIn = (text: string): Record<string, string> => objectIn(text) as Record<string, string>;

/** Returns the object with this record instead of another one. Its other labels and annotations stay. */
export function withRecord(object: KubeObject, record: OwnerRecord, details: Details): KubeObject {
  const { labels, annotations = {} } = object.metadata;
  const { urn, clusterUid, claims, former = [], guarded } = details;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...labels, [RECORD_LABEL]: urnLabel(urn) },
      annotations: {
        ...(without({ ...annotations }, ...ALL) as Record<string, string>),
        [OWNER_ANNOTATION]: record.owner,
        [TEXTS.stack]: record.stack,
        [TEXTS.backend]: record.backend,
        [TEXTS.changedAt]: record.changedAt,
        [TEXTS.changedBy]: record.changedBy,
        [GENERATION]: String(record.generation),
        [FROM]: String(record.from),
        [PHASE]: record.phase,
        [URN]: urn,
        ...(record.offeredTo !== undefined && { [OFFERED_TO]: record.offeredTo }),
        ...(clusterUid !== undefined && { [CLUSTER_UID]: clusterUid }),
        ...(claims !== undefined && { [CLAIMS]: JSON.stringify(claims) }),
        ...(former.length > 0 && { [FORMER]: former.join(",") }),
        ...(guarded !== undefined && { [GUARDED]: String(guarded) }),
      },
    },
  };
}

/** Returns the object without a record, which is not part of the desired state. */
export function withoutRecord<T extends KubeObject>(object: T): T {
  const { labels, annotations, ...metadata } = object.metadata;
  const rest = {
    ...withSome("labels", without({ ...labels }, RECORD_LABEL)),
    ...withSome("annotations", without({ ...annotations }, ...ALL)),
  };
  return { ...object, metadata: { ...metadata, ...rest } };
}

const withSome = (key: string, values: Json): Json => (Object.keys(values).length === 0 ? {} : { [key]: values });
