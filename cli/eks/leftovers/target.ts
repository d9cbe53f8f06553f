import { NGINX } from "../../../components/ingress/accounts";
import { PUBLIC_SERVICE } from "../../../components/jupyterhub/publicService";
import type { PlatformConfig } from "../../../components/platform/config/platformConfig";
import { platformConfig } from "../../../engine/stack/config";
import { Failure, UsageError } from "../../../foundation/errors";
import type { Context } from "../../context";
import type { EksLeftoversOptions } from "../options";
import type { SearchedCluster } from "./seen";

/** Returns the cluster in a stack's config, existing or not, or the one with the given name. */
export async function targetOf(
  { platforms }: Pick<Context, "platforms">,
  { stack, cluster: name, region }: EksLeftoversOptions,
): Promise<SearchedCluster> {
  if (stack === undefined) {
    if (name === undefined || region === undefined) {
      throw new UsageError("expected --stack, or --cluster and --region of a cluster whose stack is gone");
    }
    return { name, region, ownsVpc: true, ownServices: [] };
  }
  if (name !== undefined || region !== undefined) throw new UsageError("expected --stack, or --cluster and --region");
  const config = await platformConfig(platforms, stack);
  const { cluster } = config;
  if (cluster?.eks === undefined) throw new Failure(`${stack}: found no cluster on EKS; expected one`);
  return {
    name: cluster.eks.name,
    region: cluster.eks.region,
    ownsVpc: cluster.type === "eks" && cluster.eks.network.make !== undefined,
    ownServices: ownServices(config),
  };
}

/** Services of type LoadBalancer that the platform installs, and so deletes before its cluster: `namespace/name`. */
export function ownServices({ ingress, jupyterhub }: Pick<PlatformConfig, "ingress" | "jupyterhub">): string[] {
  return [
    ...(ingress?.nginx ? [`${NGINX.namespace}/${NGINX.release}-controller`] : []),
    ...(jupyterhub ? [`${jupyterhub.namespace}/${PUBLIC_SERVICE}`] : []),
  ];
}
