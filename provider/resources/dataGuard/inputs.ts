/** Inputs of a DataGuard. */

import type { Taker } from "../bundleRelease/inputs";

/** Something that holds data: a set, a bundle, or a Helm release. */
export interface Part {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly type: PartType;
  readonly namespace: string;
  readonly name: string;
  /** Of a set: what is in it. */
  readonly inventory?: readonly string[];
  /** Of a bundle: kinds that are removed also with what others have in them. */
  readonly allowDeletion?: readonly string[];
  /** Of a bundle: what it takes over from others. */
  readonly adopt?: readonly string[];
}

export const PART_TYPES = ["set", "bundle", "release"] as const;
export type PartType = (typeof PART_TYPES)[number];

export interface GuardInputs {
  /** Of the platform's cluster. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly parts: readonly Part[];
}

/** The same part, wherever its cluster is reached: a set, bundle or release of another cluster refuses by itself. */
export const partKey = ({ type, namespace, name }: Part): string => `${type} ${namespace}/${name}`;

/** Parts that are not there any more. */
export function leavingParts(old: GuardInputs, next: GuardInputs): Part[] {
  const kept = new Set(next.parts.map(partKey));
  return old.parts.filter((part) => !kept.has(partKey(part)));
}

/** Bundles that may take over what a part has. */
export const takersAmong = (parts: readonly Part[]): Taker[] =>
  parts.flatMap(({ type, namespace, name, adopt = [] }) =>
    type === "bundle" && adopt.length > 0 ? [{ bundle: `${namespace}/${name}`, adopt }] : [],
  );
