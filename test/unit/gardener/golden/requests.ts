import type { GardenerConfigInput, ProvisionRuntimeInput } from "../../../../service/api/schema.types";

/** Requests as the original's clients send them: what the files in test/fixtures/shoots are the Shoots of. */

const COMMON = {
  kubernetesVersion: "1.33.4",
  workerCidr: "10.250.0.0/19",
  podsCidr: "10.96.0.0/13",
  servicesCidr: "10.104.0.0/13",
  autoScalerMin: 2,
  autoScalerMax: 4,
  maxSurge: 3,
  maxUnavailable: 1,
};

const AZURE = {
  ...COMMON,
  provider: "azure",
  targetSecret: "account-of-azure",
  region: "westeurope",
  machineType: "Standard_D8_v3",
  diskType: "Standard_LRS",
  volumeSizeGB: 50,
};
const VNET = "10.250.0.0/16";

const CLUSTERS: Readonly<Record<string, GardenerConfigInput>> = {
  // Every field that there is.
  gcp: {
    ...COMMON,
    name: "acme-gcp",
    provider: "gcp",
    targetSecret: "account-of-gcp",
    region: "europe-west3",
    machineType: "n2-standard-4",
    machineImage: "gardenlinux",
    machineImageVersion: "1877.4.0",
    diskType: "pd-standard",
    volumeSizeGB: 50,
    purpose: "production",
    licenceType: "TestDevelopmentAndDemo",
    enableKubernetesVersionAutoUpdate: true,
    enableMachineImageVersionAutoUpdate: true,
    seed: "gcp-eu1",
    exposureClassName: "internet",
    shootNetworkingFilterDisabled: false,
    controlPlaneFailureTolerance: "zone",
    euAccess: true,
    oidcConfig: {
      clientID: "kyma",
      groupsClaim: "groups",
      issuerURL: "https://issuer.example.com",
      signingAlgs: ["RS256"],
      usernameClaim: "sub",
      usernamePrefix: "-",
    },
    dnsConfig: {
      domain: "acme.example.com",
      providers: [{ domainsInclude: ["acme.example.com"], primary: true, secretName: "dns", type: "aws-route53" }],
    },
    providerSpecificConfig: { gcpConfig: { zones: ["europe-west3-a", "europe-west3-b"] } },
  },
  azure: { ...AZURE, name: "acme-az", providerSpecificConfig: { azureConfig: { vnetCidr: VNET } } },
  "azure-zones": {
    ...AZURE,
    name: "acme-azz",
    providerSpecificConfig: { azureConfig: { vnetCidr: VNET, zones: ["1", "2"], enableNatGateway: true } },
  },
  "azure-subnets": {
    ...AZURE,
    name: "acme-azs",
    providerSpecificConfig: {
      azureConfig: {
        vnetCidr: VNET,
        azureZones: [
          { name: 1, cidr: "10.250.0.0/19" },
          { name: 2, cidr: "10.250.32.0/19" },
        ],
        enableNatGateway: true,
      },
    },
  },
  aws: {
    ...COMMON,
    name: "acme-aws",
    provider: "aws",
    targetSecret: "account-of-aws",
    region: "eu-central-1",
    machineType: "m6i.xlarge",
    diskType: "gp3",
    volumeSizeGB: 50,
    providerSpecificConfig: {
      awsConfig: {
        vpcCidr: "10.250.0.0/16",
        enableIMDSv2: true,
        awsZones: [
          {
            name: "eu-central-1a",
            workerCidr: "10.250.0.0/19",
            publicCidr: "10.250.32.0/20",
            internalCidr: "10.250.48.0/20",
          },
          {
            name: "eu-central-1b",
            workerCidr: "10.250.64.0/19",
            publicCidr: "10.250.96.0/20",
            internalCidr: "10.250.112.0/20",
          },
        ],
      },
    },
  },
  openstack: {
    ...COMMON,
    name: "acme-os",
    provider: "openstack",
    targetSecret: "account-of-openstack",
    region: "eu-de-1",
    machineType: "g_c4_m16",
    providerSpecificConfig: { openStackConfig: { zones: ["eu-de-1a"], loadBalancerProvider: "f5" } },
  },
};

export const REQUESTS: Readonly<Record<string, ProvisionRuntimeInput>> = Object.fromEntries(
  Object.entries(CLUSTERS).map(([name, gardenerConfig]) => [
    name,
    { runtimeInput: { name }, clusterConfig: { gardenerConfig } },
  ]),
);
