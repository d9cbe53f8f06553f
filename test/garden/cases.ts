/** Requests of clusters: each cloud with each version of Kubernetes and each option. */

import type { ClusterRequest } from "../../components/runtime/request/cluster/shape";
import { AWS, AZURE, GCP, OPENSTACK } from "../unit/gardener/clusters";

export interface Case {
  readonly title: string;
  readonly cluster: ClusterRequest;
  readonly hibernated?: boolean;
}

type Option = Omit<Case, "title">;

/** The newest patch in the CloudProfile of each minor version that all tested releases support. */
export const VERSIONS = ["1.32.8", "1.33.4", "1.34.3", "1.35.2", "1.36.0"] as const;

const image = { machineImage: "gardenlinux", machineImageVersion: "1877.3.0" };
export const oidcConfig = {
  clientID: "kyma",
  groupsClaim: "groups",
  issuerURL: "https://issuer.example.com",
  signingAlgs: ["RS256"],
  usernameClaim: "sub",
  usernamePrefix: "-",
};
export const dnsConfig = {
  domain: "acme.example.com",
  providers: [{ primary: true, secretName: "route53", type: "aws-route53" }],
};
export const pool = { name: "more", autoScalerMin: 0, autoScalerMax: 3 };
const taints = [{ key: "only", value: "me", effect: "NoSchedule" as const }];

/** Options of every cloud. */
const OPTIONS: Readonly<Record<string, Option>> = {
  plain: { cluster: {} },
  hibernated: { cluster: {}, hibernated: true },
  schedules: {
    cluster: { hibernationSchedules: [{ start: "0 20 * * 1,2,3,4,5", end: "0 6 * * *", location: "Europe/Berlin" }] },
  },
  "node tolerance": { cluster: { controlPlaneFailureTolerance: "node" } },
  "zone tolerance": { cluster: { controlPlaneFailureTolerance: "zone" } },
  oidc: { cluster: { oidcConfig } },
  "many OIDC providers": {
    cluster: { oidcConfig, additionalOidcConfig: [{ ...oidcConfig, issuerURL: "https://other.example.com" }] },
  },
  "default ranges": { cluster: { podsCidr: undefined, servicesCidr: undefined } },
  "small ranges": { cluster: { podsCidr: "100.64.0.0/16", servicesCidr: "100.70.0.0/20" } },
  image: { cluster: image },
  "image without version": { cluster: { machineImage: "ubuntu" } },
  surge: { cluster: { maxSurge: 3, maxUnavailable: 1 } },
  "no surge": { cluster: { maxSurge: 0, maxUnavailable: 2 } },
  "no nodes at least": { cluster: { autoScalerMin: 0 } },
  dns: { cluster: { dnsConfig } },
  "eu access": { cluster: { euAccess: true } },
  updates: { cluster: { enableKubernetesVersionAutoUpdate: true, enableMachineImageVersionAutoUpdate: true } },
  production: { cluster: { purpose: "production", maintenanceWindow: { begin: "220000+0100", end: "230000+0100" } } },
  filter: { cluster: { shootNetworkingFilterDisabled: false, licenceType: "TestDevelopmentAndDemo" } },
  "same region": { cluster: { shootAndSeedSameRegion: true } },
};

export interface OfCloud {
  readonly cluster: ClusterRequest;
  readonly machine: string;
  readonly seed: string;
  /** The disk of nodes, which all clouds but OpenStack require. */
  readonly disk: Pick<ClusterRequest, "diskType" | "volumeSizeGB">;
  readonly options: Readonly<Record<string, ClusterRequest>>;
}

export const zone = (letter: string, at: number) => ({
  name: `eu-central-1${letter}`,
  workerCidr: `10.250.${at}.0/19`,
  publicCidr: `10.250.${at + 32}.0/20`,
  internalCidr: `10.250.${at + 48}.0/20`,
});
export const aws = (more: object) => ({ providerSpecificConfig: { awsConfig: { vpcCidr: "10.250.0.0/16", ...more } } });
export const azure = (more: object) => ({
  providerSpecificConfig: { azureConfig: { vnetCidr: "10.250.0.0/16", ...more } },
});
export const gcp = (...zones: string[]) => ({ providerSpecificConfig: { gcpConfig: { zones } } });
export const openstack = (zones: string[], more: object = {}) => ({
  providerSpecificConfig: { openStackConfig: { zones, loadBalancerProvider: "f5", ...more } },
});

const diskOf = ({ diskType, volumeSizeGB }: ClusterRequest) => ({ diskType, volumeSizeGB });

export const CLOUDS: Readonly<Record<string, OfCloud>> = {
  gcp: {
    ...{ cluster: GCP, machine: "n2-standard-8", seed: "gcp-eu1" },
    disk: diskOf(GCP),
    options: {
      "one zone": gcp("europe-west3-a"),
      "three zones": { ...gcp("europe-west3-a", "europe-west3-b", "europe-west3-c"), autoScalerMin: 3 },
      volume: { diskType: "pd-ssd", volumeSizeGB: 100 },
      "exposure class": { exposureClassName: "internet" },
      toleration: { region: "me-central2", ...gcp("me-central2-a") },
      "dual stack": { dualStack: true },
    },
  },
  azure: {
    ...{ cluster: AZURE, machine: "Standard_D4_v3", seed: "azure-eu1" },
    disk: diskOf(AZURE),
    options: {
      zones: azure({ zones: ["1", "2"] }),
      gateway: azure({ zones: ["1", "2", "3"], enableNatGateway: true, idleConnectionTimeoutMinutes: 30 }),
      subnets: azure({
        ...{ enableNatGateway: true },
        azureZones: [1, 2].map((name) => ({ name, cidr: `10.250.${(name - 1) * 32}.0/19` })),
      }),
      volume: { diskType: "Standard_LRS", volumeSizeGB: 50 },
      "access list": { allowedCidrs: ["203.0.113.0/24", "2001:db8::/32"] },
      "exposure class": { exposureClassName: "internet" },
    },
  },
  aws: {
    ...{ cluster: AWS, machine: "m6i.large", seed: "aws-eu1" },
    disk: diskOf(AWS),
    options: {
      "dual stack": { dualStack: true },
      "access list": { allowedCidrs: ["203.0.113.0/24"] },
      "two zones": aws({ awsZones: [zone("a", 0), zone("b", 64)] }),
      "session tokens": aws({ awsZones: [zone("a", 0)], enableIMDSv2: true }),
      "zone of older clients": {
        ...{ workerCidr: "10.250.0.0/19" },
        ...aws({ zone: "eu-central-1a", publicCidr: "10.250.32.0/20", internalCidr: "10.250.48.0/20" }),
      },
      volume: { diskType: "gp3", volumeSizeGB: 50 },
      "exposure class": { exposureClassName: "internet" },
    },
  },
  openstack: {
    ...{ cluster: OPENSTACK, machine: "g_c8_m32", seed: "openstack-eu1" },
    disk: {},
    options: {
      "two zones": openstack(["eu-de-1a", "eu-de-1b"]),
      "floating pool": openstack(["eu-de-1a"], { floatingPoolName: "FloatingIP-external-kyma-01" }),
    },
  },
};

/** Everything at once, as KEB's larger plans have it. */
const all = ({ machine, seed, disk }: OfCloud): ClusterRequest => ({
  ...{ oidcConfig, dnsConfig, euAccess: true, controlPlaneFailureTolerance: "zone", purpose: "production", seed },
  workerPools: [
    { ...pool, ...disk, machineType: machine, ...image, labels: { for: "more" }, annotations: { a: "b" }, taints },
  ],
  administrators: ["ada@example.com"],
});

export const CASES: readonly Case[] = Object.entries(CLOUDS).flatMap(([name, cloud]) => {
  const own = Object.entries(cloud.options).map(([title, cluster]): [string, Option] => [title, { cluster }]);
  const options = [...Object.entries(OPTIONS), ...own, ["all", { cluster: all(cloud) }] as [string, Option]];
  return VERSIONS.flatMap((kubernetesVersion) =>
    options.map(([title, { cluster, ...more }]) => ({
      title: `${name} ${kubernetesVersion} ${title}`,
      cluster: { ...cloud.cluster, ...cluster, kubernetesVersion },
      ...more,
    })),
  );
});
