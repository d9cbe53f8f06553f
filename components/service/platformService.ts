import type { ComponentResourceOptions } from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import type { PlatformConfig } from "../platform/config/platformConfig";
import type { ProvisioningService } from "./provisioningService";

/** Creates the provisioning service if the config has it. Loads the module only then. */
export async function platformService(
  name: string,
  { service: settings }: PlatformConfig,
  cluster: Cluster | undefined,
  opts?: ComponentResourceOptions,
): Promise<ProvisioningService | undefined> {
  if (!cluster || !settings) return undefined;
  const { ProvisioningService } = await import("./provisioningService.js");
  return new ProvisioningService(name, { cluster, settings }, opts);
}
