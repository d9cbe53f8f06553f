/** The Shoot of a cluster, found by the ShootAccess that takes the place of a kubeconfig. */

import type { Context } from "../../../foundation/pulumi/resource";
import { readShootAccess } from "../../../foundation/shootAccess";
import { openWork, type Work } from "../../../kubernetes/apply/site";
import { describe, type KubeObject, type Ref } from "../../../kubernetes/client/objects";
import { isHibernated, shootRef, wantsHibernation } from "../../../kubernetes/gardener/shoot";

const REQUEST_SECONDS = 60;

export interface ShootBehind {
  readonly ref: Ref;
  readonly work: Work;
  /** Undefined if it is gone. */
  readonly shoot: KubeObject | undefined;
}

/** Undefined for an ordinary kubeconfig. */
export async function shootBehind(context: Context, kubeconfig: string | undefined): Promise<ShootBehind | undefined> {
  const access = kubeconfig === undefined ? undefined : readShootAccess(kubeconfig);
  if (access === undefined) return undefined;
  const ref = shootRef(access.namespace, access.shoot);
  const place = { kubeconfig: access.garden, context: access.context };
  const work = openWork(context, describe(ref), place, REQUEST_SECONDS);
  return { ref, work, shoot: await work.client.get(ref) };
}

/** Whether it is hibernated or about to be. */
export const sleeps = (shoot: KubeObject): boolean => wantsHibernation(shoot) || isHibernated(shoot);
