/** Compares the cluster behind an address with the one that a resource was created in. */

import type { Context } from "../../foundation/pulumi/resource";
import { UnreachableError } from "../client/apiError";
import type { ClusterAccess } from "./clusterAccess";
import { clusterUidBy, NO_PROJECT } from "./clusterUid";

type Asking = Pick<Context, "urn" | "signal" | "preview">;

/** What a resource knows about its cluster. */
interface Recorded {
  readonly clusterUid?: string | undefined;
}

/** How to reach a cluster, and which one a new resource expects there. */
interface Expected extends ClusterAccess {
  readonly expectedClusterUid?: string | undefined;
  /** Namespace of the Gardener project, whose UID identifies a garden. Default: it is a cluster. */
  readonly project?: string | undefined;
}

/**
 * The UID of the cluster; undefined if the user may not read it. Throws if it is another one than that in the state: a
 * tunnel, a proxy or a DNS name leads to another cluster now, or the cluster was made again. A new resource has no
 * state, and may say which one it expects.
 */
export async function requireCluster(
  context: Asking,
  access: Expected,
  state: Recorded | undefined,
): Promise<string | undefined> {
  const { signal } = context;
  const uid = await clusterUidBy(access, { signal, patienceMs: context.preview ? PREVIEW_PATIENCE_MS : undefined });
  const [recorded, expected] = [state?.clusterUid, access.expectedClusterUid];
  if (uid === undefined || uid === (recorded ?? expected ?? uid)) return uid === NO_PROJECT ? undefined : uid;
  const [kind, where] =
    access.project === undefined ? ["cluster", ""] : ["garden", ` of the project's namespace ${access.project}`];
  const found = `${access.cluster} is another ${kind} (UID ${uid}${where}) than the one`;
  const check = "Nothing was changed. Check where the address, tunnel or context leads.";
  if (recorded === undefined) {
    throw new Error(
      `${found} that the provisioner was registered in (UID ${expected}). ${check} If the provisioner is meant to be ` +
        `in this ${kind} now, update its platform first; the platform's preview says what to do`,
    );
  }
  throw new Error(
    `${found} that this is in (UID ${recorded}). ${check} If the ${kind} with that UID is gone for good, ` +
      `forget what was there: pulumi state delete '${context.urn}'`,
  );
}

/**
 * As {@link requireCluster}, for something that stays as it is: if the cluster can't be reached, it logs a warning and
 * returns what is recorded.
 */
export async function compareCluster(
  context: Context,
  access: Expected,
  state: Recorded | undefined,
): Promise<string | undefined> {
  try {
    return (await requireCluster({ ...context, preview: true }, access, state)) ?? state?.clusterUid;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    context.log("warning", `${error.message}; so it is unknown which cluster is there`);
    return state?.clusterUid;
  }
}

/** A preview does not wait for an unavailable cluster. */
const PREVIEW_PATIENCE_MS = 2_000;
