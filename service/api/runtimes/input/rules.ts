import { ApiError } from "../../errors";
import type {
  GardenerConfigInput,
  KymaConfigInput,
  ProvisionRuntimeInput,
  UpgradeRuntimeInput,
  UpgradeShootInput,
} from "../../schema.types";

/** Kyma's agent that connects a runtime to the Director. */
const AGENT = "compass-runtime-agent";

const PROVIDER_BLOCKS = ["gcpConfig", "azureConfig", "awsConfig", "openStackConfig"] as const;

/*
 * Checks the rules of the Kyma Runtime Provisioner in its order, and throws for the first violation. The deployment's
 * schema checks ranges, names and numbers later, and reports all faults at once. Pure.
 */

export function checkProvisioning({ kymaConfig, clusterConfig }: ProvisionRuntimeInput): void {
  if (kymaConfig) checkKyma(kymaConfig);
  checkCluster(clusterConfig.gardenerConfig);
}

export const checkUpgrade = ({ kymaConfig }: UpgradeRuntimeInput): void => checkKyma(kymaConfig);

/** Optional fields that must not be empty. */
const NEVER_EMPTY = ["machineType", "kubernetesVersion", "diskType", "purpose"] as const;

export function checkShootUpgrade({ gardenerConfig }: UpgradeShootInput): void {
  for (const field of NEVER_EMPTY) {
    if (gardenerConfig[field] === "")
      refuse(`gardenerConfig.${field}`, "found an empty text; expected a value or nothing");
  }
  const { providerSpecificConfig: provider } = gardenerConfig;
  if (provider) checkProvider(provider);
}

function checkKyma({ components }: KymaConfigInput): void {
  if (components.length === 0) refuse("kymaConfig.components", "found an empty list; expected the components of Kyma");
  if (components.some((each) => each?.component === AGENT)) return;
  refuse("kymaConfig.components", `found no ${AGENT}; expected it among the components`);
}

function checkCluster(cluster: GardenerConfigInput): void {
  if (cluster.machineImageVersion && !cluster.machineImage) {
    refuse("gardenerConfig.machineImage", "found nothing; expected an image, because machineImageVersion is given");
  }
  if (cluster.provider.toLowerCase() === "openstack") {
    for (const field of ["diskType", "volumeSizeGB"] as const) {
      if ((cluster[field] ?? undefined) === undefined) continue;
      refuse(`gardenerConfig.${field}`, `found ${JSON.stringify(cluster[field])}; expected nothing with openstack`);
    }
  }
  checkProvider(cluster.providerSpecificConfig);
}

function checkProvider(provider: GardenerConfigInput["providerSpecificConfig"]): void {
  if (PROVIDER_BLOCKS.some((block) => provider[block])) return;
  const reason = `provider config not specified: found nothing; expected one of ${PROVIDER_BLOCKS.join(", ")}`;
  refuse("gardenerConfig.providerSpecificConfig", reason);
}

function refuse(path: string, reason: string): never {
  throw new ApiError({ code: "BAD_INPUT", component: "input", path, reason: `${path}: ${reason}` });
}
