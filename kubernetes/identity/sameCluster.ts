/** Determines whether changed access leads to the cluster that a resource is already in. */

import { hasUnknown, type Context } from "../../foundation/pulumi/resource";
import { UnreachableError } from "../client/apiError";
import type { Client } from "../client/client";
import { connect } from "../connect/connect";
import { clusterUid, clusterUidBy, IDENTITY_RIGHT } from "./clusterUid";
import { isAccessChanged, ACCESS_FIELDS, type ClusterVerdict, type ClusterAccess } from "./clusterAccess";

export interface AccessChange {
  readonly old: ClusterAccess;
  /** UID of the resource's cluster. Undefined in older states, or if the user may not read it. */
  readonly uid: string | undefined;
  readonly now: ClusterAccess;
  /** Whether the cluster contains objects of the resource. Used only if the UIDs are unknown. */
  readonly isIn: (client: Client) => Promise<boolean>;
}

/** Timeout for previews. The update checks again with more patience. */
const PATIENCE_MS = 2_000;

/** For a plan. Logs a warning if the answer can't be determined now. */
export async function expectedCluster(context: Context, moved: AccessChange): Promise<ClusterVerdict> {
  const { old, now } = moved;
  if (!isAccessChanged(old, now)) return "same";
  if (hasUnknown(ACCESS_FIELDS.map((key) => now[key]))) {
    context.log("info", `whether it stays in its cluster (${old.cluster}) shows when the new address is known`);
    return "open";
  }
  try {
    return await compare(context, moved, PATIENCE_MS);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const unsure = `so it is unknown whether it is the same cluster as ${old.cluster}`;
    context.log("warning", `${error.message}; ${unsure}. Nothing is replaced before that is known`);
    return "open";
  }
}

/** Before an update: throws unless it is the same cluster. */
export async function requireSameCluster(context: Context, moved: AccessChange): Promise<void> {
  if (!isAccessChanged(moved.old, moved.now) || (await compare(context, moved, undefined)) === "same") return;
  throw new Error(
    `${moved.now.cluster} is another cluster than the one that this is in (${moved.old.cluster}), which did not show in the ` +
      "plan; nothing was changed. Run the update again: it plans a replacement",
  );
}

async function compare(context: Context, moved: AccessChange, patienceMs: number | undefined): Promise<ClusterVerdict> {
  const { old, uid, now } = moved;
  // Older states identify the cluster only by its address.
  if (uid === undefined && old.cluster === now.cluster) return "same";
  const { signal } = context;
  const client = connect(now.kubeconfig, now.context, { signal, patienceMs });
  const uidNow = await clusterUid(client);
  const uidThen = uid ?? (uidNow === undefined ? undefined : await uidBehind(old, signal));
  if (uidNow !== undefined && uidThen !== undefined) return uidNow === uidThen ? "same" : "other";
  if (await moved.isIn(client)) return "same";
  throw new Error(uidNow === undefined ? notReadable(now) : notKnown(context, old, now));
}

/** Reads the UID through the previous access; undefined if that no longer works. */
async function uidBehind(way: ClusterAccess, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await clusterUidBy(way, { signal, patienceMs: PATIENCE_MS });
  } catch {
    // Files may be gone, credentials expired, or the server unreachable.
    signal.throwIfAborted();
    return undefined;
  }
}

const notReadable = ({ cluster }: ClusterAccess): string =>
  `it is unknown whether ${cluster} is the same cluster: its user lacks ${IDENTITY_RIGHT}, and nothing of this was ` +
  "found there. Grant that right (ClusterRole with get on namespaces, resourceNames: [kube-system])";

const notKnown = ({ urn }: Context, old: ClusterAccess, now: ClusterAccess): string =>
  `it is unknown whether ${now.cluster} is the same cluster: the state was written before UIDs of clusters were ` +
  `kept, ${old.cluster} does not answer any more, and nothing of this was found in ${now.cluster}. Make ${old.cluster} answer ` +
  `for one update; or, if that cluster is gone for good, forget what was there: pulumi state delete '${urn}'`;
