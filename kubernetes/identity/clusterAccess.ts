/** How to reach a cluster. This may change at any time and does not identify the cluster. Pure. */

import type { ChangeKind } from "../../foundation/pulumi/resource";

export interface ClusterAccess {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of the cluster, for messages. Identifies the cluster only if nothing else is known. */
  readonly cluster: string;
}

/** `open`: it can't be determined yet whether the cluster is the same, so nothing is replaced. */
export type ClusterVerdict = "same" | "other" | "open";

export const ACCESS_FIELDS = ["kubeconfig", "context", "cluster"] as const;

type Changes = Readonly<Record<string, ChangeKind>>;

export const isAccessField = (path: string): boolean => ACCESS_FIELDS.some((key) => key === path);

export const isAccessChanged = (old: ClusterAccess, now: ClusterAccess): boolean =>
  ACCESS_FIELDS.some((key) => (old[key] ?? undefined) !== (now[key] ?? undefined));

/** Marks the changes that lead to another cluster as the cause of a replacement. */
export const replacing = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([path, kind]) => [
      path,
      isAccessField(path) ? (`${kind}-replace` as ChangeKind) : kind,
    ]),
  );

/** Whether only the access changed, so that there is nothing to apply in the same cluster. */
export function isAccessOnly(changes: Changes): boolean {
  const paths = Object.keys(changes);
  return paths.length > 0 && paths.every(isAccessField);
}
