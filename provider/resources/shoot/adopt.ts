/** Adoption: takes over the Shoot of a stack whose state was lost, as it is. Changes nothing. */

import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../../foundation/pulumi/resource";
import { isObject } from "../../../foundation/json/isObject";
import type { KubeObject } from "../../../kubernetes/client/objects";
import { capacityOf } from "../../../kubernetes/gardener/cloudProfile";
import { desiredOf } from "../../../kubernetes/gardener/desired";
import { factsOf } from "../../../kubernetes/gardener/shoot";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { project } from "../manifestSet/project";
import { DIFFERS } from "../manifestSet/takeOver";
import { cloudProfileOf, openGarden } from "./garden";
import type { ShootInputs, ShootState } from "./inputs";

/** `inputs.adopt` is the owner id of the Shoot, or its UID if it has no owner id. Throws if there is no such Shoot. */
export async function adoptShoot(context: Context, inputs: ShootInputs): Promise<ShootState> {
  const garden = openGarden(context, inputs);
  const live = await garden.client.get(garden.ref);
  const owner = live && ownerIdOn(live);
  const isImported = live !== undefined && owner === undefined && live.metadata.uid === inputs.adopt;
  if (live === undefined || (owner !== inputs.adopt && !isImported)) {
    const found = live ? `one with owner id ${owner ?? "none"}` : "none";
    throw new Error(
      `${garden.title}: found ${found}; expected one with owner id ${inputs.adopt} to adopt. Nothing was changed`,
    );
  }
  // An import has already shown the differences, which stay.
  if (hasSpec(inputs.shoot) && !isImported) {
    const { shoot: wanted } = desiredOf(inputs.shoot, live);
    if (!isDeepStrictEqual(project(live, wanted), wanted)) context.log("warning", `${garden.title} ${DIFFERS}`);
  }
  const profile = await cloudProfileOf(garden, live);
  return { ...inputs, ...factsOf(live), ...((profile && capacityOf(profile, live)) ?? {}) };
}

/** A Shoot that is only adopted for its deletion has no spec. */
const hasSpec = ({ spec }: KubeObject): boolean => isObject(spec) && Object.keys(spec).length > 0;
