/** Whether the cluster that a resource is given now is the one that it is in, when the way there has changed. */

import type { Context } from "../../foundation/pulumi/resource";
import { hasUnknown } from "../../foundation/pulumi/resource";
import { UnreachableError } from "../client/apiError";
import type { Client } from "../client/client";
import { connect } from "../client/connect";
import { clusterUid, clusterUidBy, IDENTITY_RIGHT } from "./clusterUid";
import { hasMoved, WAY, type Verdict, type Way } from "./way";

export interface Moved {
  readonly old: Way;
  /** Of the cluster that the resource is in; older states, and of users who may not read it, have none. */
  readonly uid: string | undefined;
  readonly now: Way;
  /** Whether anything of the resource is in this cluster: asked only where UIDs do not say. */
  readonly isIn: (client: Client) => Promise<boolean>;
}

/** A preview, which must say something soon. The update asks again, and with more patience. */
const PATIENCE_MS = 2_000;

/** For a plan. Where it can't be determined now, that is said as a warning. */
export async function expectedCluster(context: Context, moved: Moved): Promise<Verdict> {
  const { old, now } = moved;
  if (!hasMoved(old, now)) return "same";
  if (hasUnknown(WAY.map((key) => now[key]))) {
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
export async function mustStay(context: Context, moved: Moved): Promise<void> {
  if (!hasMoved(moved.old, moved.now) || (await compare(context, moved, undefined)) === "same") return;
  throw new Error(
    `${moved.now.cluster} is another cluster than the one that this is in (${moved.old.cluster}), which did not show in the ` +
      "plan; nothing was changed. Run the update again: it plans a replacement",
  );
}

async function compare(context: Context, moved: Moved, patienceMs: number | undefined): Promise<Verdict> {
  const { old, uid, now } = moved;
  // All that older states have of the cluster.
  if (uid === undefined && old.cluster === now.cluster) return "same";
  const { signal } = context;
  const client = connect(now.kubeconfig, now.context, { signal, patienceMs });
  const uidNow = await clusterUid(client);
  const uidThen = uid ?? (uidNow === undefined ? undefined : await uidBehind(old, signal));
  if (uidNow !== undefined && uidThen !== undefined) return uidNow === uidThen ? "same" : "other";
  if (await moved.isIn(client)) return "same";
  throw new Error(uidNow === undefined ? notReadable(now) : notKnown(context, old, now));
}

/** By the way that led to it until now; undefined when that leads nowhere any more. */
async function uidBehind(way: Way, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await clusterUidBy(way, { signal, patienceMs: PATIENCE_MS });
  } catch {
    // A file that it names is gone, its credentials are not accepted any more, nobody answers: it leads nowhere.
    signal.throwIfAborted();
    return undefined;
  }
}

const notReadable = ({ cluster }: Way): string =>
  `it is unknown whether ${cluster} is the same cluster: its user lacks ${IDENTITY_RIGHT}, and nothing of this was ` +
  "found there. Grant that right (ClusterRole with get on namespaces, resourceNames: [kube-system])";

const notKnown = ({ urn }: Context, old: Way, now: Way): string =>
  `it is unknown whether ${now.cluster} is the same cluster: the state was written before UIDs of clusters were ` +
  `kept, ${old.cluster} does not answer any more, and nothing of this was found in ${now.cluster}. Make ${old.cluster} answer ` +
  `for one update; or, if that cluster is gone for good, forget what was there: pulumi state delete '${urn}'`;
