/** The connection to Gardener for one Shoot. */

import type { Context } from "../../../foundation/pulumi/resource";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { openWork, type Work } from "../../../kubernetes/work/work";
import { ifKnown, unlessForbidden } from "../../../kubernetes/client/lookUp";
import { describe, textAt, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { GARDENER, shootRef } from "../../../kubernetes/gardener/shoot";
import type { ShootInputs, ShootState } from "./inputs";

export interface Garden extends Work {
  readonly ref: Ref;
}

/** Time limit for requests; stages have their own limits. */
const REQUEST_SECONDS = 60;

export function openGarden(context: Context, inputs: ShootInputs): Garden {
  const { namespace = "", name } = inputs.shoot.metadata;
  const ref = shootRef(namespace, name);
  const place = { kubeconfig: inputs.kubeconfig, context: inputs.context };
  return { ...openWork(context, describe(ref), place, REQUEST_SECONDS), ref };
}

/**
 * The UID of the garden, for the state. Throws if it is another one than that of the Shoot, or than a new Shoot's
 * provisioner was registered in.
 */
export async function requireGarden(
  context: Context,
  { kubeconfig, context: named, cluster, shoot: { metadata }, expectedGardenUid }: ShootInputs,
  earlier?: ShootState,
): Promise<Pick<ShootState, "gardenUid">> {
  const known = earlier?.gardenUid;
  const way = { kubeconfig, context: named, cluster, project: metadata.namespace };
  const garden = { ...way, expectedClusterUid: expectedGardenUid };
  const gardenUid = (await requireCluster(context, garden, { clusterUid: known })) ?? known;
  return gardenUid === undefined ? {} : { gardenUid };
}

/** Reads the Shoot's CloudProfile; undefined if it does not exist or the user may not read it. */
export async function cloudProfileOf(garden: Garden, shoot: KubeObject): Promise<KubeObject | undefined> {
  const name = textAt(shoot, "spec", "cloudProfileName");
  return name === undefined ? undefined : lookAt(garden, { apiVersion: GARDENER, kind: "CloudProfile", name });
}

/** Undefined if there is none that the user may read. */
export async function lookAt({ client }: Garden, ref: Ref): Promise<KubeObject | undefined> {
  return (await ifKnown(unlessForbidden(client.get(ref)))) ?? undefined;
}
