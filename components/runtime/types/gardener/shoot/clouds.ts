import { providerOf, type AwsConfig, type AzureConfig } from "../../../request/cluster/providers";
import type { ClusterRequest } from "../../../request/cluster/shape";

/** The cloud-specific parts of a Shoot, by provider. Pure. */

export interface Cloud {
  readonly type: string;
  readonly cloudProfile: string;
  /** CIDR of all nodes. */
  readonly nodes: string;
  /** Zones of the nodes. */
  readonly zones: readonly string[];
  readonly infrastructureConfig: object;
  readonly controlPlaneConfig: object;
  /** Configuration of a pool's nodes. */
  readonly workerConfig?: object;
  /** Exposure class, if the cloud requires one. */
  readonly exposureClassName?: string;
}

export interface CloudOptions {
  /** CloudProfiles by provider, which override the default ones. */
  readonly cloudProfiles?: Readonly<Partial<Record<string, string>>>;
}

/** CloudProfile names in most landscapes. */
const PROFILES = { gcp: "gcp", azure: "az", aws: "aws", openstack: "converged-cloud-kyma" } as const;

const FLOATING_POOL = "FloatingIP-external-kyma-01";
const OPENSTACK_EXPOSURE = "converged-cloud-internet";

const typed = (provider: string, kind: string) => ({
  apiVersion: `${provider}.provider.extensions.gardener.cloud/v1alpha1`,
  kind,
});

/** `cluster`: complete and without faults. */
export function cloudOf(cluster: ClusterRequest, { cloudProfiles = {} }: CloudOptions): Cloud {
  const { providerSpecificConfig: { gcpConfig, azureConfig, awsConfig, openStackConfig } = {}, workerCidr = "" } =
    cluster;
  const provider = providerOf(cluster);
  const common = {
    type: provider ?? "",
    cloudProfile: provider ? (cloudProfiles[provider] ?? PROFILES[provider]) : "",
  };
  if (provider === "gcp" && gcpConfig) {
    const { zones } = gcpConfig;
    return {
      ...common,
      nodes: workerCidr,
      zones,
      infrastructureConfig: {
        ...typed("gcp", "InfrastructureConfig"),
        networks: { worker: workerCidr, workers: workerCidr },
      },
      controlPlaneConfig: { ...typed("gcp", "ControlPlaneConfig"), zone: zones[0] },
    };
  }
  if (provider === "azure" && azureConfig) return { ...common, ...azure(azureConfig, workerCidr) };
  if (provider === "aws" && awsConfig) return { ...common, ...aws(awsConfig, workerCidr) };
  if (provider === "openstack" && openStackConfig) {
    const { zones, floatingPoolName = FLOATING_POOL, cloudProfileName, loadBalancerProvider } = openStackConfig;
    return {
      ...common,
      cloudProfile: cloudProfileName ?? common.cloudProfile,
      nodes: workerCidr,
      zones,
      infrastructureConfig: {
        ...typed("openstack", "InfrastructureConfig"),
        floatingPoolName,
        networks: { workers: workerCidr },
      },
      controlPlaneConfig: { ...typed("openstack", "ControlPlaneConfig"), loadBalancerProvider },
      exposureClassName: OPENSTACK_EXPOSURE,
    };
  }
  throw new Error(`the cluster has no block for its provider (${provider ?? "none"})`);
}

type OwnCloud = Omit<Cloud, "type" | "cloudProfile">;

function azure(
  { vnetCidr, zones = [], azureZones = [], enableNatGateway = false, idleConnectionTimeoutMinutes = 4 }: AzureConfig,
  workerCidr: string,
): OwnCloud {
  const names = azureZones.length > 0 ? azureZones.map(({ name }) => String(name)) : zones;
  const gateway = enableNatGateway ? { natGateway: { enabled: true, idleConnectionTimeoutMinutes } } : {};
  const own =
    azureZones.length > 0
      ? { zones: azureZones.map(({ name, cidr }) => ({ name, cidr, ...gateway })) }
      : { workers: workerCidr, ...(names.length > 0 ? gateway : {}) };
  return {
    nodes: vnetCidr,
    zones: names,
    infrastructureConfig: {
      ...typed("azure", "InfrastructureConfig"),
      networks: { vnet: { cidr: vnetCidr }, ...own },
      zoned: names.length > 0,
    },
    controlPlaneConfig: typed("azure", "ControlPlaneConfig"),
  };
}

function aws({ vpcCidr, enableIMDSv2 = false, ...config }: AwsConfig, workerCidr: string): OwnCloud {
  const { zone = "", publicCidr = "", internalCidr = "" } = config;
  const zones = config.awsZones ?? [{ name: zone, publicCidr, internalCidr, workerCidr }];
  return {
    nodes: vpcCidr,
    zones: zones.map(({ name }) => name),
    infrastructureConfig: {
      ...typed("aws", "InfrastructureConfig"),
      networks: {
        vpc: { cidr: vpcCidr },
        zones: zones.map((one) => ({
          name: one.name,
          internal: one.internalCidr,
          public: one.publicCidr,
          workers: one.workerCidr,
        })),
      },
    },
    controlPlaneConfig: typed("aws", "ControlPlaneConfig"),
    ...(enableIMDSv2 && {
      workerConfig: {
        ...typed("aws", "WorkerConfig"),
        instanceMetadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 2 },
      },
    }),
  };
}
