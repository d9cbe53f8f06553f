/** Inputs of a DataGuard. */

import type { Taker } from "../bundleRelease/inputs";

/** A part that is deleted after the guard: a set, a bundle or a Helm release of a platform, or the Shoot of a runtime. */
export interface Part {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly type: PartType;
  readonly namespace: string;
  readonly name: string;
  /** For a set: its objects. */
  readonly inventory?: readonly string[];
  /** For a bundle: kinds that are deleted even if they contain foreign objects. */
  readonly allowDeletion?: readonly string[];
  /** For a bundle: what it takes over from others. */
  readonly adopt?: readonly string[];
  /** Its owner. Parts in states of earlier versions have none. */
  readonly owner?: PartOwner;
}

export interface PartOwner {
  /** For a release: namespace and name of the set that records its owner. */
  readonly namespace?: string;
  readonly set?: string;
  readonly id: string;
  /** 0 if there is no record yet. */
  readonly generation: number;
  /** For a release: its URN. */
  readonly urn?: string;
}

export const PART_TYPES = ["set", "bundle", "release", "shoot"] as const;
export type PartType = (typeof PART_TYPES)[number];

export interface GuardInputs {
  /** Kubeconfig of the platform's cluster. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly parts: readonly Part[];
}

/**
 * Identifies a part, regardless of the connection to its cluster: a set, bundle or release on another cluster has its
 * own check.
 */
export const partKey = ({ type, namespace, name }: Part): string => `${type} ${namespace}/${name}`;

/** Parts that are no longer in the program. */
export function removedParts(old: GuardInputs, next: GuardInputs): Part[] {
  const kept = new Set(next.parts.map(partKey));
  return old.parts.filter((part) => !kept.has(partKey(part)));
}

/** Parts that the last update has changed. */
export function changedParts(old: GuardInputs, next: GuardInputs): Part[] {
  const before = new Map(old.parts.map((part) => [partKey(part), part.owner?.generation]));
  return next.parts.filter((part) => part.owner !== undefined && part.owner.generation !== before.get(partKey(part)));
}

/** Bundles that may take over objects of a part. */
export const takersAmong = (parts: readonly Part[]): Taker[] =>
  parts.flatMap(({ type, namespace, name, adopt = [] }) =>
    type === "bundle" && adopt.length > 0 ? [{ bundle: `${namespace}/${name}`, adopt }] : [],
  );
