/** The cluster of Lifecycle Manager, and what of a Kyma is there. */

import type { Context } from "../../../foundation/pulumi/resource";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { describe, refOf, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import type { ControlPlane, ModulesInputs, ModulesState } from "./inputs";
import { kymaRef, secretRef, shootOn } from "./objects";

export interface Plane {
  readonly client: Client;
  readonly kyma: KubeObject | undefined;
  readonly secret: KubeObject | undefined;
}

export const planeClient = ({ signal }: Pick<Context, "signal">, at: ControlPlane, patienceMs?: number): Client =>
  connect(at.controlPlaneKubeconfig, at.controlPlaneContext, { signal, patienceMs });

/** The UID of that cluster. Throws if it is another one than that in the state. */
export const planeUid = (context: Context, at: ControlPlane, state?: ModulesState): Promise<string | undefined> =>
  requireCluster(
    context,
    {
      cluster: at.controlPlane,
      ...(at.controlPlaneKubeconfig !== undefined && { kubeconfig: at.controlPlaneKubeconfig }),
      ...(at.controlPlaneContext !== undefined && { context: at.controlPlaneContext }),
    },
    { clusterUid: state?.controlPlaneUid },
  );

export async function readPlane(client: Client, { name }: Pick<ModulesInputs, "name">): Promise<Plane> {
  return { client, kyma: await ifServed(client, kymaRef(name)), secret: await client.get(secretRef(name)) };
}

/** Also undefined if the cluster does not have the kind. */
export async function ifServed(client: Client, ref: Ref): Promise<KubeObject | undefined> {
  try {
    return await client.get(ref);
  } catch (error) {
    if (error instanceof UnknownKindError) return undefined;
    throw error;
  }
}

/** Says that an object was made for something else; undefined if it is ours, or is not there. */
export function foreign(live: KubeObject | undefined, shootUid: string | undefined): string | undefined {
  if (live === undefined) return undefined;
  const shoot = shootOn(live);
  if (shoot !== undefined && shoot === shootUid) return undefined;
  const whose = shoot === undefined ? "was not made by Stackyard" : `is that of the Shoot with UID ${shoot}`;
  return `${describe(refOf(live))} ${whose}`;
}

/** Throws if the Kyma or its Secret was made for something else. */
export function mustBeOurs({ kyma, secret }: Plane, shootUid: string | undefined): void {
  const found = foreign(kyma, shootUid) ?? foreign(secret, shootUid);
  if (found === undefined) return;
  throw new Error(`${found}; expected none of this name, as nothing is taken over. Delete it if nothing needs it`);
}
