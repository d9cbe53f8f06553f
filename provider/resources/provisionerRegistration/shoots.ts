/** Finds the deployments with a cluster in a Gardener project, by the annotations of the Shoots. */

import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { GARDENER, RUNTIME_ANNOTATION } from "../../../kubernetes/gardener/shoot";
import { originOn } from "../../../kubernetes/identity/origin";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import type { InCluster } from "./registered";

/** Ids, sorted. Includes clusters that are hibernated or being deleted. */
export async function deploymentsInGarden(client: Client, registered: InCluster): Promise<string[]> {
  const ref = { apiVersion: GARDENER, kind: "Shoot", namespace: registered.namespace };
  const shoots = await client.list(ref, { metadataOnly: true });
  return [...new Set(shoots.flatMap((shoot) => deploymentOf(shoot, registered) ?? []))].sort();
}

function deploymentOf(shoot: KubeObject, registered: InCluster): string | undefined {
  // Created by the Kyma Runtime Provisioner or by a user.
  if (ownerIdOn(shoot) === undefined) return undefined;
  const { platform, provisioner, deployment = shoot.metadata.annotations?.[RUNTIME_ANNOTATION] } = originOn(shoot);
  // Created before Shoots recorded their provisioner.
  if (provisioner === undefined) return registered.alone ? (deployment ?? shoot.metadata.name) : undefined;
  return provisioner === registered.provisioner && platform === registered.platform ? deployment : undefined;
}
