/** How to reach a cluster. This may change at any time and does not identify the cluster. Pure. */

import type { ChangeKind } from "../../foundation/pulumi/resource";

export interface Way {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of the cluster, for messages. Identifies the cluster only if nothing else is known. */
  readonly cluster: string;
}

/** `open`: it can't be determined yet whether the cluster is the same, so nothing is replaced. */
export type Verdict = "same" | "other" | "open";

export const WAY = ["kubeconfig", "context", "cluster"] as const;

type Changes = Readonly<Record<string, ChangeKind>>;

export const isWay = (path: string): boolean => WAY.some((key) => key === path);

export const hasMoved = (old: Way, now: Way): boolean =>
  WAY.some((key) => (old[key] ?? undefined) !== (now[key] ?? undefined));

/** Marks the changes that lead to another cluster as the cause of a replacement. */
export const replacing = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([path, kind]) => [path, isWay(path) ? (`${kind}-replace` as ChangeKind) : kind]),
  );

/** Whether only the access changed, so that there is nothing to apply in the same cluster. */
export function isWayOnly(changes: Changes): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every(isWay);
}
