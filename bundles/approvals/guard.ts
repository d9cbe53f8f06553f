/** What keeps decisions true: nothing of it may come with a bundle, and without it no approval counts. */

import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { UnknownKindError } from "../../kubernetes/client/discovery";
import type { KubeObject } from "../../kubernetes/client/objects";
import { Refused } from "../errors";
import { NOTHING } from "../permissions/asks";
import { toObject, type Instance } from "./approval";
import { decidesAboutBundles, NOT_IN_OWN_NAME, POLICY } from "./definition";

/** Content that could approve itself, or remove what asks for approvals. */
export function refuseGuards(objects: readonly KubeObject[]): void {
  const guards = objects.filter(decidesAboutBundles).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  if (guards.length === 0) return;
  throw new Refused(`found ${guards.join(", ")} in the bundle; expected none: these decide about bundles. Remove them`);
}

/** Nobody has this name: the API server takes no user without one. */
const NOBODY = "no user";

/** Whether the API server takes no decision in another's name; undefined for who may not even try. */
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

/** The cluster can't keep approvals true. */
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

/** A cluster that is too old, said so. */
export const tooOld = (error: unknown): unknown =>
  error instanceof UnknownKindError && error.kind === POLICY.kind ? new TooOld({ cause: error }) : error;
