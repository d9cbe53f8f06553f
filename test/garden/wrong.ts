/** Requests that the extensions of the clouds refuse: what is wrong, and the path that the product names. */

import type { ClusterRequest } from "../../components/runtime/request/cluster/shape";
import { aws, azure, CLOUDS, gcp, pool, zone } from "./cases";

type Wrong = readonly [change: ClusterRequest, path: string];

const diskless: ClusterRequest = { diskType: undefined, volumeSizeGB: undefined };
const more = (cloud: string, change: object): ClusterRequest => {
  const { machine, disk } = CLOUDS[cloud]!;
  return { workerPools: [{ ...pool, ...disk, machineType: machine, ...change }] };
};

/** Every cloud whose nodes need a disk. */
const disks = (cloud: string): Readonly<Record<string, Wrong>> => ({
  "no disk": [diskless, "cluster.diskType"],
  "a pool without a disk": [more(cloud, diskless), "cluster.workerPools[0].diskType"],
});

const [a, b] = [zone("a", 0), zone("b", 64)];
const azureZone = (name: number, cidr: string) => ({ name, cidr });
const AWS_ZONES = "cluster.providerSpecificConfig.awsConfig.awsZones";
const AZURE_ZONES = "cluster.providerSpecificConfig.azureConfig.azureZones";

export const WRONG: Readonly<Record<string, Readonly<Record<string, Wrong>>>> = {
  aws: {
    ...disks("aws"),
    "a disk with IOPS": [{ diskType: "io1" }, "cluster.diskType"],
    "a pool in a zone without subnets": [more("aws", { zones: ["eu-central-1b"] }), "cluster.workerPools[0].zones"],
    "nodes outside of the VPC": [
      aws({ awsZones: [{ ...a, workerCidr: "10.251.0.0/19" }] }),
      `${AWS_ZONES}[0].workerCidr`,
    ],
    "subnets that overlap": [aws({ awsZones: [a, { ...b, publicCidr: a.publicCidr }] }), `${AWS_ZONES}[1].publicCidr`],
    "a VPC that overlaps pods": [{ podsCidr: "10.250.0.0/15" }, "cluster.podsCidr"],
  },
  azure: {
    ...disks("azure"),
    "a pool in a zone without subnet": [
      { ...azure({ azureZones: [azureZone(1, "10.250.0.0/19")] }), ...more("azure", { zones: ["2"] }) },
      "cluster.workerPools[0].zones",
    ],
    "a pool in a zone of a cluster without zones": [more("azure", { zones: ["1"] }), "cluster.workerPools[0].zones"],
    "nodes outside of the network": [{ workerCidr: "10.251.0.0/19" }, "cluster.workerCidr"],
    "a subnet outside of the network": [
      azure({ azureZones: [azureZone(1, "10.251.0.0/19")] }),
      `${AZURE_ZONES}[0].cidr`,
    ],
    "subnets that overlap": [
      azure({ azureZones: [azureZone(1, "10.250.0.0/19"), azureZone(2, "10.250.0.0/20")] }),
      `${AZURE_ZONES}[1].cidr`,
    ],
    "a zone twice": [
      azure({ azureZones: [azureZone(1, "10.250.0.0/19"), azureZone(1, "10.250.32.0/19")] }),
      `${AZURE_ZONES}[1].name`,
    ],
    "a timeout that is too short": [
      azure({ zones: ["1"], enableNatGateway: true, idleConnectionTimeoutMinutes: 2 }),
      "cluster.providerSpecificConfig.azureConfig.idleConnectionTimeoutMinutes",
    ],
    "a network that overlaps pods": [{ podsCidr: "10.250.0.0/15" }, "cluster.podsCidr"],
  },
  gcp: {
    ...disks("gcp"),
    "a disk that no node boots from": [{ diskType: "SCRATCH" }, "cluster.diskType"],
    "no zones": [gcp(), "cluster.providerSpecificConfig.gcpConfig.zones"],
    "a pool without zones": [more("gcp", { zones: [] }), "cluster.workerPools[0].zones"],
  },
  openstack: {
    "a pool without zones": [more("openstack", { zones: [] }), "cluster.workerPools[0].zones"],
    "nodes that overlap pods": [{ podsCidr: "10.250.0.0/16" }, "cluster.podsCidr"],
  },
};
