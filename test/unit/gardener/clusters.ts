import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";

/** A complete cluster for each cloud, besides what is the cloud's own. */
const COMMON = {
  kubernetesVersion: "1.33.4",
  autoScalerMin: 2,
  autoScalerMax: 4,
  maxSurge: 1,
  maxUnavailable: 0,
  workerCidr: "10.250.0.0/19",
  podsCidr: "10.96.0.0/13",
  servicesCidr: "10.104.0.0/13",
  tenant: "account-1",
  subAccount: "sub-1",
};

export const GCP: ClusterRequest = {
  ...COMMON,
  provider: "gcp",
  region: "europe-west3",
  machineType: "n2-standard-4",
  diskType: "pd-standard",
  volumeSizeGB: 50,
  providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a", "europe-west3-b"] } },
};

export const AZURE: ClusterRequest = {
  ...COMMON,
  provider: "azure",
  region: "westeurope",
  machineType: "Standard_D8_v3",
  diskType: "StandardSSD_LRS",
  volumeSizeGB: 50,
  providerSpecificConfig: { azureConfig: { vnetCidr: "10.250.0.0/16" } },
};

export const AWS: ClusterRequest = {
  ...COMMON,
  workerCidr: undefined,
  provider: "aws",
  region: "eu-central-1",
  machineType: "m6i.xlarge",
  diskType: "gp3",
  volumeSizeGB: 50,
  providerSpecificConfig: {
    awsConfig: {
      vpcCidr: "10.250.0.0/16",
      awsZones: [
        {
          name: "eu-central-1a",
          workerCidr: "10.250.0.0/19",
          publicCidr: "10.250.32.0/20",
          internalCidr: "10.250.48.0/20",
        },
      ],
    },
  },
};

export const OPENSTACK: ClusterRequest = {
  ...COMMON,
  provider: "openstack",
  region: "eu-de-1",
  machineType: "g_c4_m16",
  providerSpecificConfig: { openStackConfig: { zones: ["eu-de-1a"], loadBalancerProvider: "f5" } },
};
