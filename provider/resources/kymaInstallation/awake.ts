/** Wakes a cluster, so that Kyma can be removed from it. */

import type { Context } from "../../../foundation/pulumi/resource";
import { messageOf } from "../../../foundation/errors";
import { readShootAccess } from "../../../foundation/shootAccess";
import { openWork } from "../../../kubernetes/work/work";
import { describe } from "../../../kubernetes/objects/objects";
import { isHibernated, shootRef, wantsHibernation } from "../../../kubernetes/gardener/shoot";
import { untilSettled } from "../shoot/wait";
import type { KymaInputs } from "./inputs";

const REQUEST_SECONDS = 60;

/**
 * Wakes a hibernated Gardener cluster. Returns false if nothing can be removed from it: it is gone or being deleted, or
 * it does not wake within `timeoutSeconds`; then a warning lists what may be left behind.
 */
export async function untilAwake(
  context: Context,
  { kubeconfig, timeoutSeconds }: Pick<KymaInputs, "kubeconfig" | "timeoutSeconds">,
): Promise<boolean> {
  const access = kubeconfig === undefined ? undefined : readShootAccess(kubeconfig);
  if (access === undefined) return true;
  const ref = shootRef(access.namespace, access.shoot);
  const place = { kubeconfig: access.garden, context: access.context };
  const work = openWork(context, describe(ref), place, REQUEST_SECONDS);
  const shoot = await work.client.get(ref);
  if (shoot === undefined || shoot.metadata.deletionTimestamp !== undefined) return false;
  if (!wantsHibernation(shoot) && !isHibernated(shoot)) return true;
  work.log("status", "stage: CleanupCluster (the hibernated cluster is woken, because Kyma is removed from it first)");
  try {
    await work.client.merge(ref, { spec: { hibernation: { enabled: false } } });
    await untilSettled(work, ref, "changed", { WaitForHibernation: timeoutSeconds });
    return true;
  } catch (error) {
    context.signal.throwIfAborted();
    work.log(
      "warning",
      `${work.title} is hibernated and does not wake, so Kyma is not removed before the cluster is deleted. What its modules or brokers of its Service Catalog created elsewhere may be left there: ${messageOf(error)}`,
    );
    return false;
  }
}
