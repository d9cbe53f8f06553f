/** How a cluster is reached. It may change at any time and says nothing of which cluster that is. Pure. */

import type { ChangeKind } from "../../foundation/pulumi/resource";

export interface Way {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of the cluster, for users. Identity only where nothing else is known. */
  readonly cluster: string;
}

/** `open`: whether it is the same cluster can't be determined yet, so nothing may be replaced for it. */
export type Verdict = "same" | "other" | "open";

export const WAY = ["kubeconfig", "context", "cluster"] as const;

type Changes = Readonly<Record<string, ChangeKind>>;

export const isWay = (path: string): boolean => WAY.some((key) => key === path);

export const hasMoved = (old: Way, now: Way): boolean =>
  WAY.some((key) => (old[key] ?? undefined) !== (now[key] ?? undefined));

/** Marks what leads to another cluster as the reason of a replacement. */
export const replacing = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([path, kind]) => [path, isWay(path) ? (`${kind}-replace` as ChangeKind) : kind]),
  );

/** Whether the way there is all that changed, so that there is nothing to do in a cluster that is the same. */
export function isWayOnly(changes: Changes): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every(isWay);
}
