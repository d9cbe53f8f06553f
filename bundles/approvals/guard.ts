/** Protects approvals: a bundle must not contain the protecting objects, and without them no approval counts. */

import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { UnknownKindError } from "../../kubernetes/client/discovery";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { Refused } from "../errors";
import { NOTHING } from "../permissions/asks";
import { toObject, type Instance } from "./approval";
import { decidesAboutBundles, NOT_IN_OWN_NAME, POLICY } from "./definition";

/** Throws if the content could approve itself, or disable approvals. */
export function refuseGuards(objects: readonly KubeObject[]): void {
  const guards = objects.filter(decidesAboutBundles).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  if (guards.length === 0) return;
  throw new Refused(`found ${guards.join(", ")} in the bundle; expected none: these decide about bundles. Remove them`);
}

/** A name that the client's user does not have. */
const NOBODY = "no user";

/**
 * Whether the API server rejects a decision in another's name, tested by a dry run; undefined without permission for
 * the test.
 */
export async function isGuarded(client: Client, bundle: Instance): Promise<boolean | undefined> {
  const digest = `sha256:${"0".repeat(64)}`;
  const forged = toObject({ bundle, digest, decision: "Requested", by: NOBODY, asks: NOTHING }, new Date());
  try {
    await client.apply(forged, { dryRun: true });
    return false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.message.includes(NOT_IN_OWN_NAME)) return true;
    if (error.code === 403) return undefined;
    throw error;
  }
}

/** The cluster can't protect approvals. */
export class TooOld extends Error {
  override readonly name = "TooOld";

  constructor(options?: ErrorOptions) {
    super(
      `approvals need Kubernetes 1.30 or newer: the cluster has no ${POLICY.kind} in ${POLICY.apiVersion}, ` +
        "without which any user could approve in the name of another",
      options,
    );
  }
}

/** Converts the error of a cluster that is too old. */
export const tooOld = (error: unknown): unknown =>
  error instanceof UnknownKindError && error.kind === POLICY.kind ? new TooOld({ cause: error }) : error;
