import { shortHash } from "../../../foundation/text/legalName";
import type { ClusterAccess } from "./kubeconfig";

/** Represents the platform's cluster in resource names. */
const PLATFORM_CLUSTER = "platform";

/** A provisioner with its location in Kubernetes. */
interface Placed {
  readonly access?: ClusterAccess;
  readonly settings: { readonly namespace?: string };
}

/** Key of the cluster and namespace of a provisioner's runtimes. Equal if two provisioners share them. */
export function placeOf({ access, settings }: Placed, platformServer: string | undefined): string {
  const cluster = access && isElsewhere(access, platformServer) ? shortHash(access.server, 8) : PLATFORM_CLUSTER;
  return `${cluster}-${settings.namespace}`;
}

export const isElsewhere = (access: ClusterAccess | undefined, platformServer: string | undefined): boolean =>
  access !== undefined && access.server !== platformServer;

/** Whether no other provisioner shares its cluster and namespace. */
export function isAlone(
  name: string,
  kubernetes: Readonly<Record<string, Placed>>,
  platformServer: string | undefined,
): boolean {
  const places = new Map(Object.entries(kubernetes).map(([key, one]) => [key, placeOf(one, platformServer)]));
  return [...places].every(([key, place]) => key === name || place !== places.get(name));
}
