/** Decisions about bundles, stored as objects in the cluster: who decided what about which content, and when. */

import { isList, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { onOneLine } from "../errors";
import { byCode } from "../tree/tree";
import type { Asks, Permission } from "../permissions/asks";
import { rulesIn } from "../permissions/rbac/rules";
import { shortHash } from "../../foundation/digest";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { isObject, type Json } from "../../foundation/json/isObject";

export const GROUP = "stackyard.dev";
export const API_VERSION = `${GROUP}/v1alpha1`;
export const KIND = "BundleApproval";

/** A bundle on a cluster. */
export interface Instance {
  readonly name: string;
  readonly namespace: string;
}

/** `Requested`: a user tried to apply it without an approval. */
export const DECISIONS = ["Requested", "Approved", "Denied"] as const;
export type Decision = (typeof DECISIONS)[number];

export interface Approval {
  readonly bundle: Instance;
  /** Digest of the content. */
  readonly digest: string;
  readonly decision: Decision;
  /** User name as the API server knows it, which rejects any other name. */
  readonly by: string;
  /** Time of the API server. */
  readonly when: Date;
  readonly reason?: string;
  readonly asks: Asks;
  /** Users from whom the API server accepts nothing but the approved content. */
  readonly confined?: readonly string[];
}

/** Builds the object of a decision. It has a unique name, because decisions are added and never changed. */
export function toObject(approval: Omit<Approval, "when">, now: Date): KubeObject {
  const { bundle, digest, decision, by, reason, asks, confined = [] } = approval;
  const content = digest.slice(digest.indexOf(":") + 1, digest.indexOf(":") + 13);
  // Makes the order of names the order of time, until the year 5138.
  const time = now.getTime().toString(36).padStart(9, "0");
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: `${bundle.namespace}.${bundle.name}.${time}.${content}` },
    spec: {
      ...{ bundle, digest, decision, by, asks },
      ...(reason === undefined ? {} : { reason }),
      ...(confined.length === 0 ? {} : { confined: [...confined] }),
    },
  };
}

/** Names what an approver was shown: the content, and all that it requests. */
export function requestId({ digest, asks }: Pick<Approval, "digest" | "asks">): string {
  const stored = asksFrom(JSON.parse(JSON.stringify(asks)) as Json);
  return shortHash(canonicalJson({ digest, asks: stored }));
}

export function fromObject(object: KubeObject): Approval | undefined {
  const spec = object["spec"];
  const decision = DECISIONS.find((one) => one === textAt(spec, "decision"));
  if (!isObject(spec) || decision === undefined) return undefined;
  const reason = textAt(spec, "reason");
  const confined = textsAt(spec, "confined");
  return {
    bundle: { name: textAt(spec, "bundle", "name") ?? "", namespace: textAt(spec, "bundle", "namespace") ?? "" },
    digest: onOneLine(textAt(spec, "digest") ?? ""),
    decision,
    by: onOneLine(textAt(spec, "by") ?? ""),
    when: new Date(object.metadata.creationTimestamp ?? 0),
    ...(reason === undefined ? {} : { reason: onOneLine(reason) }),
    asks: asksFrom(isObject(spec["asks"]) ? spec["asks"] : {}),
    ...(confined.length === 0 ? {} : { confined }),
  };
}

function textsAt(object: Json, key: string): string[] {
  const value = object[key];
  return isList(value) ? value.filter((one) => typeof one === "string").map(onOneLine) : [];
}

function asksFrom(asks: Json): Asks {
  const texts = (key: string): string[] => textsAt(asks, key);
  return {
    permissions: listAt(asks, "permissions").map(permissionFrom),
    clusterObjects: texts("clusterObjects"),
    webhooks: texts("webhooks"),
    host: texts("host"),
    others: texts("others"),
    lifted: texts("lifted"),
  };
}

function permissionFrom(permission: Json): Permission {
  const [namespace, role] = [textAt(permission, "namespace"), textAt(permission, "role")];
  return {
    subject: onOneLine(textAt(permission, "subject") ?? ""),
    ...(namespace === undefined ? {} : { namespace: onOneLine(namespace) }),
    rules: rulesIn(permission),
    ...(role === undefined ? {} : { role: onOneLine(role) }),
  };
}

/**
 * Sorts decisions, oldest first. The server's timestamps have seconds only; names determine the order within a second.
 */
export function inTime(objects: readonly KubeObject[]): Approval[] {
  const time = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return [...objects]
    .sort((a, b) => byCode(time(a), time(b)))
    .map(fromObject)
    .filter((approval) => approval !== undefined);
}

export const sameInstance = (a: Instance, b: Instance): boolean => a.name === b.name && a.namespace === b.namespace;
