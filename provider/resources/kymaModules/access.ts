/** Gives Lifecycle Manager lasting access to the cluster of a Shoot. */

import { readShootAccess } from "../../../foundation/shootAccess";
import { readKubeconfig, type Access } from "../../../kubernetes/access/kubeconfig";
import type { Client } from "../../../kubernetes/client/client";
import { connect, inClusterAccess } from "../../../kubernetes/connect/connect";
import { issueKubeconfig } from "../../../kubernetes/connect/shootLease";
import type { ClusterAccess } from "../../../kubernetes/identity/clusterAccess";
import { refOf } from "../../../kubernetes/objects/objects";
import { until, type Work } from "../../../kubernetes/work/work";
import { ACCESS, accountKubeconfig, TOKEN } from "./objects";

const TOKEN_S = 60;

/** The address and the authority of the cluster. */
async function addressOf({ kubeconfig, context }: ClusterAccess): Promise<Access> {
  if (kubeconfig === undefined) return inClusterAccess();
  const shoot = readShootAccess(kubeconfig);
  if (shoot === undefined) return readKubeconfig(kubeconfig, context);
  return readKubeconfig((await issueKubeconfig(connect(shoot.garden, shoot.context, {}), shoot)).kubeconfig);
}

/** The kubeconfig of the service account; undefined if it has no token. */
export const currentKubeconfig = async (client: Client, at: ClusterAccess): Promise<string | undefined> =>
  accountKubeconfig(await addressOf(at), await client.get(TOKEN));

/** Makes the service account if there is none, and returns its kubeconfig. */
export async function grantAccess(
  client: Client,
  at: ClusterAccess,
  { signal, timeoutSeconds }: Pick<Work, "signal" | "timeoutSeconds">,
): Promise<string> {
  for (const object of ACCESS) await client.apply(object);
  const address = await addressOf(at);
  const deadline = Date.now() + Math.min(TOKEN_S, timeoutSeconds) * 1000;
  return until(
    { signal, deadline },
    async () => accountKubeconfig(address, await client.get(TOKEN)),
    () => Promise.resolve(new Error(`Secret ${TOKEN.namespace}/${TOKEN.name} in ${at.cluster} gets no token`)),
  );
}

export async function revokeAccess(client: Client): Promise<void> {
  for (const object of ACCESS) await client.remove(refOf(object));
}
