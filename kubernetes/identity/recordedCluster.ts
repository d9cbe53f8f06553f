/** Compares the cluster behind an address with the one that a resource was created in. */

import type { Context } from "../../foundation/pulumi/resource";
import type { ClusterAccess } from "./clusterAccess";
import { clusterUidBy } from "./clusterUid";

/**
 * The UID of the cluster; undefined if the user may not read it. Throws if it is another one than that in the state: a
 * tunnel, a proxy or a DNS name leads to another cluster now, or the cluster was made again.
 */
export async function requireCluster(
  context: Pick<Context, "urn" | "signal" | "preview">,
  access: ClusterAccess,
  state: { readonly clusterUid?: string } | undefined,
): Promise<string | undefined> {
  const { signal } = context;
  const uid = await clusterUidBy(access, { signal, patienceMs: context.preview ? PREVIEW_PATIENCE_MS : undefined });
  const recorded = state?.clusterUid;
  if (uid === undefined || recorded === undefined || uid === recorded) return uid;
  throw new Error(
    `${access.cluster} is another cluster (UID ${uid}) than the one that this is in (UID ${recorded}). Nothing was ` +
      "changed. Check where the address, tunnel or context leads. If the cluster with that UID is gone for good, " +
      `forget what was there: pulumi state delete '${context.urn}'`,
  );
}

/** A preview does not wait for an unavailable cluster. */
const PREVIEW_PATIENCE_MS = 2_000;
