/** Reads and writes the ConfigMap with the authentication of a Shoot's API server. */

import type { Client } from "../client/client";
import { unlessForbidden } from "../client/lookUp";
import { ownerIdOn, withOwnerId } from "../identity/ownerId";
import { describe, refOf, versionOf, type KubeObject } from "../objects/objects";
import { authenticationName, authenticationRef } from "./authentication";
import { authenticationIn, type WithAuthentication } from "./versionFields";

/** The Shoot with its ConfigMap, if it has one that the user may read. */
export async function withAuthentication(client: Client, shoot: KubeObject): Promise<WithAuthentication> {
  const name = authenticationIn(shoot);
  if (name === undefined) return { shoot };
  return { shoot, configMap: await unlessForbidden(client.get(authenticationRef(shoot.metadata.namespace, name))) };
}

/** Throws if there is one of this name with another owner id. */
export async function applyAuthentication(
  client: Client,
  configMap: KubeObject,
  owner: string | undefined,
): Promise<void> {
  const ref = refOf(configMap);
  const live = await client.get(ref);
  if (live !== undefined && ownerIdOn(live) !== owner) {
    throw new Error(
      `${describe(ref)} exists and does not belong to this Shoot; expected none of this name, because the Shoot's OIDC settings are stored there. Delete it if nothing needs it`,
    );
  }
  await client.apply(withOwnerId(configMap, owner));
}

/** Deletes the ConfigMap of a Shoot that does not need it any more. */
export async function removeAuthentication(
  client: Client,
  shoot: KubeObject,
  owner: string | undefined,
): Promise<void> {
  const ref = authenticationRef(shoot.metadata.namespace, authenticationName(shoot));
  const live = await unlessForbidden(client.get(ref));
  if (live !== undefined && owner !== undefined && ownerIdOn(live) === owner) {
    await client.remove(ref, versionOf(live));
  }
}
