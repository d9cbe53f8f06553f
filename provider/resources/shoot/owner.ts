/** Decides whether a Shoot belongs to the resource. */

import type { Context } from "../../../foundation/pulumi/resource";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { RUNTIME_ANNOTATION } from "../../../kubernetes/gardener/shoot";
import { originOn } from "../../../kubernetes/identity/origin";
import { OWNER_ANNOTATION, ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { OwnerError, requireOwner, type Thing } from "../../../kubernetes/owners/judge";
import { stackOf, type Claimant } from "../../../kubernetes/owners/record";
import type { Garden } from "./garden";
import type { ShootInputs, ShootState } from "./inputs";

/** A resource that is about to change its Shoot. `earlier`: its state, if it has one. */
export interface Asking {
  readonly claimant: Claimant;
  readonly inputs: ShootInputs;
  readonly earlier?: ShootState;
}

/** The owner of an imported Shoot, and that of a state from before there were owner ids, is the Shoot's UID. */
export function shootClaimant(context: Context, { instance }: ShootInputs, earlier?: ShootState): Claimant {
  // The state of a creation that was interrupted has no UID, because the provider never returned one.
  const interrupted = earlier !== undefined && (earlier.interrupted === true || earlier.uid === undefined);
  return {
    ...stackOf(context),
    owner: instance ?? earlier?.uid,
    generation: earlier?.ownerGeneration ?? 0,
    ...(interrupted && { interrupted }),
  };
}

/** Throws if the Shoot belongs to another resource, or the state is older than the Shoot. */
export function mustBeOwn(garden: Garden, live: KubeObject, asking: Asking): void {
  const { title } = garden;
  const { claimant, earlier } = asking;
  if (earlier?.uid !== undefined && live.metadata.uid !== earlier.uid) {
    throw new Error(
      `${title} is another one than this stack created (UID ${live.metadata.uid}, expected ${earlier.uid}); nothing was changed`,
    );
  }
  const record = recordOn(live);
  if (record === undefined) return mayHaveNoRecord(garden, live, asking);
  requireOwner(record, claimant, thingOf(title, live));
}

/**
 * Shoots from before there were records have the owner id at most. One of the same deployment without it is taken over:
 * the Kyma Runtime Provisioner created it.
 */
function mayHaveNoRecord({ title, log }: Garden, live: KubeObject, { claimant, inputs, earlier }: Asking): void {
  const owner = ownerIdOn(live);
  if (owner === undefined ? earlier?.uid !== undefined : owner === claimant.owner) return;
  const [its, ours] = [live, inputs.shoot].map(({ metadata }) => metadata.annotations?.[RUNTIME_ANNOTATION]);
  if (owner === undefined && its !== undefined && its === ours) {
    log("info", `${title} is there already, for deployment ${its}: it is taken over`);
    return;
  }
  const whose = owner === undefined ? `for deployment ${its ?? "(none)"}` : `with ${OWNER_ANNOTATION} ${owner}`;
  throw new OwnerError(
    `${title} is there already, ${whose}; expected none of this name. Choose another name (cluster.name), or delete that one`,
  );
}

export function thingOf(title: string, live: KubeObject): Thing {
  const { deployment = live.metadata.annotations?.[RUNTIME_ANNOTATION] ?? live.metadata.name } = originOn(live);
  return { title, adopt: `stackyard runtime adopt ${deployment}; or choose another name (cluster.name)` };
}
