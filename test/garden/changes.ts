/** Changes of a cluster: what Gardener makes in place, and what the product refuses, with the path that it names. */

import type { ClusterRequest } from "../../components/runtime/request/cluster/shape";
import {
  aws,
  azure,
  CLOUDS,
  dnsConfig,
  gcp,
  oidcConfig,
  openstack,
  pool,
  zone,
  type Case,
  type OfCloud,
} from "./cases";

type Request = Omit<Case, "title">;

export interface Change {
  readonly title: string;
  readonly from: Request;
  readonly to: Request;
  /** Path that the product names; undefined if the change is made. */
  readonly refused?: string;
}

const AVAILABILITY = "spec.controlPlane.highAvailability.failureTolerance.type";

/** By title: what is added before and after. */
type Table = Readonly<Record<string, readonly [from: ClusterRequest, to: ClusterRequest, refused?: string]>>;

const ofEveryCloud = ({ machine, seed, disk }: OfCloud): Table => ({
  "more nodes": [{}, { autoScalerMin: 3, autoScalerMax: 6 }],
  "another machine": [{}, { machineType: machine }],
  "the next version": [{ kubernetesVersion: "1.32.8" }, { kubernetesVersion: "1.33.4" }],
  "the version without old bindings": [{ kubernetesVersion: "1.33.4" }, { kubernetesVersion: "1.34.3" }],
  "the version without DNS secrets": [
    { kubernetesVersion: "1.34.3", dnsConfig },
    { kubernetesVersion: "1.35.2", dnsConfig },
  ],
  "the newest version": [{ kubernetesVersion: "1.35.2" }, { kubernetesVersion: "1.36.0" }],
  "an older version": [{ kubernetesVersion: "1.34.3" }, { kubernetesVersion: "1.33.4" }],
  image: [{}, { machineImage: "gardenlinux", machineImageVersion: "1877.4.0" }],
  "older image": [
    { machineImage: "gardenlinux", machineImageVersion: "1877.4.0" },
    { machineImage: "gardenlinux", machineImageVersion: "1877.3.0" },
  ],
  surge: [{}, { maxSurge: 0, maxUnavailable: 2 }],
  purpose: [{}, { purpose: "production" }],
  "OIDC comes": [{}, { oidcConfig }],
  "OIDC changes": [{ oidcConfig }, { oidcConfig: { ...oidcConfig, clientID: "other" } }],
  "an OIDC provider comes": [
    { oidcConfig },
    { oidcConfig, additionalOidcConfig: [{ ...oidcConfig, issuerURL: "https://other.example.com" }] },
  ],
  "OIDC goes": [{ oidcConfig }, {}],
  "EU access comes": [{}, { euAccess: true }],
  "EU access goes": [{ euAccess: true }, {}],
  "automatic updates": [{}, { enableKubernetesVersionAutoUpdate: true, enableMachineImageVersionAutoUpdate: true }],
  maintenance: [{}, { maintenanceWindow: { begin: "220000+0100", end: "230000+0100" } }],
  schedules: [{}, { hibernationSchedules: [{ start: "0 20 * * *" }] }],
  "a pool comes": [{}, { workerPools: [{ ...pool, ...disk, machineType: machine }] }],
  "a pool goes": [{ workerPools: [{ ...pool, ...disk, machineType: machine }] }, {}],
  "the filter comes": [{}, { shootNetworkingFilterDisabled: false }],
  license: [{}, { licenceType: "TestDevelopmentAndDemo" }],
  "the seed of the region": [{ seed }, { seed, shootAndSeedSameRegion: true }],
  "availability comes": [{}, { controlPlaneFailureTolerance: "node" }],
  "availability goes": [{ controlPlaneFailureTolerance: "zone" }, {}, AVAILABILITY],
  "less availability": [
    { controlPlaneFailureTolerance: "zone" },
    { controlPlaneFailureTolerance: "node" },
    AVAILABILITY,
  ],
  "another domain than Gardener's": [{ seed }, { seed, dnsConfig }, "spec.dns.domain"],
  "DNS providers go": [{ seed, dnsConfig }, { seed, dnsConfig: { domain: dnsConfig.domain } }, "spec.dns.providers"],
  "another type of DNS": [
    { seed, dnsConfig },
    { seed, dnsConfig: { ...dnsConfig, providers: [{ ...dnsConfig.providers[0]!, type: "azure-dns" }] } },
    "spec.dns.providers",
  ],
  "other ranges of pods": [{}, { podsCidr: "10.112.0.0/13" }, "spec.networking.pods"],
  "other ranges of services": [{}, { servicesCidr: "10.112.0.0/16" }, "spec.networking.services"],
  "another account": [{}, { targetSecret: "cleanup" }, "spec.secretBindingName"],
  "another seed": [{ seed }, { seed: "other-eu1" }, "spec.seedName"],
  "no seed": [{ seed }, {}, "spec.seedName"],
});

const ZONES = "spec.provider.workers[cpu-worker-0].zones";
const INFRASTRUCTURE = "spec.provider.infrastructureConfig";
const one = { name: 1, cidr: "10.250.0.0/19" };

const OF_CLOUD: Readonly<Record<string, Table>> = {
  gcp: {
    "a last zone comes": [gcp("europe-west3-a"), gcp("europe-west3-a", "europe-west3-b")],
    "a first zone comes": [gcp("europe-west3-a"), gcp("europe-west3-b", "europe-west3-a"), ZONES],
    "a zone goes": [gcp("europe-west3-a", "europe-west3-b"), gcp("europe-west3-a"), ZONES],
    "other ranges of nodes": [{}, { workerCidr: "10.251.0.0/19" }, "spec.networking.nodes"],
    "another exposure class": [{}, { exposureClassName: "internet" }],
    "another disk": [{}, { diskType: "pd-ssd", volumeSizeGB: 100 }],
    "dual stack comes": [{}, { dualStack: true }, "spec.networking.ipFamilies"],
    "dual stack goes": [{ dualStack: true }, {}, "spec.networking.ipFamilies"],
  },
  azure: {
    "a zone comes": [azure({ zones: ["1"] }), azure({ zones: ["1", "2"] })],
    "zones come": [azure({}), azure({ zones: ["1", "2"] }), `${INFRASTRUCTURE}.zoned`],
    "a subnet comes": [azure({ azureZones: [one] }), azure({ azureZones: [one, { name: 2, cidr: "10.250.32.0/19" }] })],
    "a subnet goes": [
      azure({ azureZones: [one, { name: 2, cidr: "10.250.32.0/19" }] }),
      azure({ azureZones: [one] }),
      `${INFRASTRUCTURE}.networks.zones[2]`,
    ],
    "an access list comes": [{}, { allowedCidrs: ["203.0.113.0/24"] }],
    "an access list goes": [{ allowedCidrs: ["203.0.113.0/24"] }, {}],
    "a gateway comes": [azure({ zones: ["1"] }), azure({ zones: ["1"], enableNatGateway: true })],
    "another network": [{}, azure({ vnetCidr: "10.249.0.0/15" }), `${INFRASTRUCTURE}.networks.vnet.cidr`],
    "another exposure class": [{ exposureClassName: "internet" }, {}],
    "another disk": [{}, { diskType: "Standard_LRS", volumeSizeGB: 100 }],
  },
  aws: {
    "a zone comes": [aws({ awsZones: [zone("a", 0)] }), aws({ awsZones: [zone("a", 0), zone("b", 64)] })],
    "zones change places": [
      aws({ awsZones: [zone("a", 0), zone("b", 64)] }),
      aws({ awsZones: [zone("b", 64), zone("a", 0)] }),
      ZONES,
    ],
    "other ranges of a zone": [
      aws({ awsZones: [zone("a", 0)] }),
      aws({ awsZones: [zone("a", 128)] }),
      `${INFRASTRUCTURE}.networks.zones[eu-central-1a].workers`,
    ],
    "another network": [{}, aws({ vpcCidr: "10.248.0.0/14", awsZones: [zone("a", 0)] }), "spec.networking.nodes"],
    "session tokens": [aws({ awsZones: [zone("a", 0)] }), aws({ awsZones: [zone("a", 0)], enableIMDSv2: true })],
    "another disk": [
      { diskType: "gp2", volumeSizeGB: 50 },
      { diskType: "gp3", volumeSizeGB: 60 },
    ],
  },
  openstack: {
    "a zone comes": [openstack(["eu-de-1a"]), openstack(["eu-de-1a", "eu-de-1b"])],
    "a zone goes": [openstack(["eu-de-1a", "eu-de-1b"]), openstack(["eu-de-1b"]), ZONES],
    "another floating pool": [
      openstack(["eu-de-1a"]),
      openstack(["eu-de-1a"], { floatingPoolName: "other" }),
      `${INFRASTRUCTURE}.floatingPoolName`,
    ],
    "another load balancer": [
      {},
      { providerSpecificConfig: { openStackConfig: { zones: ["eu-de-1a"], loadBalancerProvider: "octavia" } } },
    ],
  },
};

/** Changes of hibernation besides those of the cluster. */
const sleeping = (cluster: ClusterRequest): Change[] => [
  { title: "hibernation", from: { cluster }, to: { cluster, hibernated: true } },
  { title: "waking up", from: { cluster, hibernated: true }, to: { cluster } },
  {
    title: "availability in hibernation",
    from: { cluster, hibernated: true },
    to: { cluster: { ...cluster, controlPlaneFailureTolerance: "node" }, hibernated: true },
    refused: AVAILABILITY,
  },
];

export const CHANGES: Readonly<Record<string, readonly Change[]>> = Object.fromEntries(
  Object.entries(CLOUDS).map(([name, cloud]) => {
    const table = Object.entries({ ...ofEveryCloud(cloud), ...OF_CLOUD[name] });
    const changes = table.map(([title, [from, to, refused]]): Change => {
      const [before, after] = [from, to].map((more) => ({ cluster: { ...cloud.cluster, ...more } }));
      return { title, from: before!, to: after!, ...(refused !== undefined && { refused }) };
    });
    return [name, [...changes, ...sleeping(cloud.cluster)]];
  }),
);
