import {
  PROVIDERS,
  providerOf,
  type AwsConfig,
  type AzureConfig,
  type Provider,
} from "../../../request/cluster/providers";
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

const FLOATING_POOL = "FloatingIP-external-kyma-01";
const OPENSTACK_EXPOSURE = "converged-cloud-internet";

const typed = (provider: string, kind: string) => ({
  apiVersion: `${provider}.provider.extensions.gardener.cloud/v1alpha1`,
  kind,
});

type OwnCloud = Omit<Cloud, "type" | "cloudProfile"> & { readonly cloudProfile?: string | undefined };
type Blocks = NonNullable<ClusterRequest["providerSpecificConfig"]>;

/** The parts of each cloud, from the blocks of a request; undefined without its own block. */
const CLOUDS: { readonly [P in Provider]: (blocks: Blocks, workerCidr: string) => OwnCloud | undefined } = {
  gcp: ({ gcpConfig }, workerCidr) =>
    gcpConfig && {
      nodes: workerCidr,
      zones: gcpConfig.zones,
      infrastructureConfig: {
        ...typed("gcp", "InfrastructureConfig"),
        networks: { worker: workerCidr, workers: workerCidr },
      },
      controlPlaneConfig: { ...typed("gcp", "ControlPlaneConfig"), zone: gcpConfig.zones[0] },
    },
  azure: ({ azureConfig }, workerCidr) => azureConfig && azure(azureConfig, workerCidr),
  aws: ({ awsConfig }, workerCidr) => awsConfig && aws(awsConfig, workerCidr),
  openstack: ({ openStackConfig }, workerCidr) =>
    openStackConfig && {
      cloudProfile: openStackConfig.cloudProfileName,
      nodes: workerCidr,
      zones: openStackConfig.zones,
      infrastructureConfig: {
        ...typed("openstack", "InfrastructureConfig"),
        floatingPoolName: openStackConfig.floatingPoolName ?? FLOATING_POOL,
        networks: { workers: workerCidr },
      },
      controlPlaneConfig: {
        ...typed("openstack", "ControlPlaneConfig"),
        loadBalancerProvider: openStackConfig.loadBalancerProvider,
      },
      exposureClassName: OPENSTACK_EXPOSURE,
    },
};

/** `cluster`: complete and without faults. */
export function cloudOf(cluster: ClusterRequest, { cloudProfiles = {} }: CloudOptions): Cloud {
  const { providerSpecificConfig = {}, workerCidr = "" } = cluster;
  const type = providerOf(cluster);
  const own = type && CLOUDS[type](providerSpecificConfig, workerCidr);
  if (type === undefined || own === undefined) {
    throw new Error(`the cluster has no block for its provider (${type ?? "none"})`);
  }
  return { type, ...own, cloudProfile: own.cloudProfile ?? cloudProfiles[type] ?? PROVIDERS[type].profile };
}

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
