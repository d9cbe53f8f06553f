import type { Charts } from "../charts/charts";
import type { Cluster } from "../cluster/cluster";
import type { PlatformConfig } from "../platform/config/platformConfig";
import type { StateResources } from "../resources/ownState";
import type { Ingress } from "./ingress";
import { runningOwner } from "./nginx";

/** Creates the platform's Ingress if the config has it. Loads the module only then. */
export async function platformIngress(
  name: string,
  { cluster: config, ingress: settings }: PlatformConfig,
  cluster: Cluster | undefined,
  charts: Charts,
  stateBefore: Promise<StateResources>,
): Promise<Ingress | undefined> {
  const served = config?.eks;
  if (!cluster || !served || !settings) return undefined;
  const { awsLoadBalancerController, nginx, externalDns, certManager } = settings;
  if (!awsLoadBalancerController && !nginx && !externalDns && !certManager) return undefined;
  const { Ingress } = await import("./ingress.js");
  const nginxOwner = nginx && runningOwner(await stateBefore);
  return new Ingress(name, { cluster, charts, settings, served, nginxOwner });
}
