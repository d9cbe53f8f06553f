/** Returns the claims that are lost when remove.ts removes members of a release. Changes nothing. */

import type { Client } from "../../../../kubernetes/client/client";
import { identity, isCrd, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import { isStatefulSet } from "../../../../kubernetes/claims/claims";
import { claimsLost } from "../../../../kubernetes/guard/losses";
import { forAll } from "../../../../kubernetes/client/pool";
import { isMember, type ReleaseKey } from "../applySet";
import type { ReleaseInputs } from "../inputs";
import { lookAtOwn } from "../live/live";
import { isNamespace } from "../wanted/order";
import { isOfAnother } from "../ownership/ownership";
import { PRUNE_ANNOTATION, type Removal } from "./remove";

/** Without an instance, all members count as the release's own. */
export type ReleaseDeletion = ReleaseKey & Pick<ReleaseInputs, "allowDeletion"> & Partial<Pick<Removal, "tenure">>;

/**
 * CustomResourceDefinitions have a rule of their own, and a namespace with other objects stays unless its deletion is
 * allowed.
 */
export async function claimsLostByRelease(
  client: Client,
  release: ReleaseDeletion,
  refs: readonly Ref[],
): Promise<KubeObject[]> {
  const found = await lookAtOwn(client, refs, release);
  const own = refs.flatMap((ref) => found.get(identity(ref)) ?? []);
  const going = own.filter(
    (live) =>
      isMember(live, release) &&
      !isOfOther(live, release) &&
      live.metadata.annotations?.[PRUNE_ANNOTATION] !== "disabled" &&
      !isCrd(live),
  );
  const whole = await forAll(going, async (live) =>
    isStatefulSet(live) ? ((await client.get({ ...live, ...live.metadata })) ?? live) : live,
  );
  const emptied = release.allowDeletion.includes("Namespace");
  return claimsLost(client, {
    objects: whole.filter((live) => !isNamespace(live)),
    namespaces: whole.filter((live) => emptied && isNamespace(live)).map(({ metadata }) => metadata.name),
  });
}

const isOfOther = (live: KubeObject, { tenure }: ReleaseDeletion): boolean =>
  tenure !== undefined && isOfAnother(live, tenure);
