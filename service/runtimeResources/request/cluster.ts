import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import { mismatch, renderPath, type Fault } from "../../../foundation/schema/faults";
import { namedOnly } from "../../api/runtimes/request";
import type { Stored } from "../../api/context";
import type { OidcSpec, RuntimeSpec, WorkerSpec } from "./spec";
import { awsZones, azureZones, NODES_EXPECTED, nodesRange } from "./subnets";

/** Translates the spec of a Runtime to the cluster of a deployment, as the runtime API would request it. Pure. */

type Shoot = RuntimeSpec["shoot"];

/** Platforms whose clusters only people in the EU may operate. */
const EU_ACCESS: ReadonlySet<string> = new Set(["cf-eu11", "cf-ch20", "cf-eu01", "cf-eu02", "cf-eu31"]);

/** Provider of load balancers on OpenStack, which a Runtime does not name. */
const LOAD_BALANCER = "f5";
/** Means no prefix, as for the user names of Kubernetes. */
const NO_PREFIX = "-";

/** The zones of the pool that every cluster has. */
const zonesOf = ({ provider }: Shoot): readonly string[] => provider.workers[0]?.zones ?? [];

/** The cluster of a spec without faults ({@link clusterFaults}). */
export function clusterOf({ shoot, security }: RuntimeSpec): Stored {
  const { provider, networking, kubernetes, controlPlane, region, platformRegion = "" } = shoot;
  const [main] = provider.workers;
  const { filter } = security?.networking ?? {};
  const [oidcConfig, ...more] = providersOf(shoot).map(oidcOf);
  return withoutUndefined({
    name: shoot.name,
    purpose: shoot.purpose,
    region,
    licenceType: shoot.licenceType,
    targetSecret: shoot.secretBindingName,
    kubernetesVersion: kubernetes?.version,
    provider: provider.type,
    ...(main && nodesOf(main)),
    workerCidr: networking.nodes,
    podsCidr: networking.pods,
    servicesCidr: networking.services,
    providerSpecificConfig: CLOUDS[provider.type]?.(shoot),
    workerPools: provider.additionalWorkers?.map(poolOf),
    oidcConfig,
    additionalOidcConfig: more.length > 0 ? more : undefined,
    dualStack: networking.dualStack,
    allowedCidrs: kubernetes?.kubeAPIServer?.acl?.allowedCIDRs,
    controlPlaneFailureTolerance: controlPlane?.highAvailability.failureTolerance.type,
    shootAndSeedSameRegion: shoot.enforceSeedLocation,
    euAccess: EU_ACCESS.has(platformRegion) || undefined,
    shootNetworkingFilterDisabled: filter?.egress?.enabled !== true,
    shootNetworkingFilterBlackholing: filter?.ingress?.enabled,
    administrators: namedOnly(security?.administrators) ?? [],
  });
}

/** A Runtime says nothing of its cloud but zones. */
const CLOUDS: Readonly<Record<string, (shoot: Shoot) => Stored>> = {
  gcp: (shoot) => ({ gcpConfig: { zones: zonesOf(shoot) } }),
  openstack: (shoot) => ({ openStackConfig: { zones: zonesOf(shoot), loadBalancerProvider: LOAD_BALANCER } }),
  aws: (shoot) => {
    const { nodes } = shoot.networking;
    const range = nodesRange(nodes);
    return { awsConfig: { vpcCidr: nodes, awsZones: range && awsZones(range, zonesOf(shoot)) } };
  },
  azure: (shoot) => {
    const { nodes } = shoot.networking;
    const range = nodesRange(nodes);
    return {
      azureConfig: { vnetCidr: nodes, enableNatGateway: true, azureZones: range && azureZones(range, zonesOf(shoot)) },
    };
  },
};

function nodesOf({ machine, volume, ...nodes }: WorkerSpec): Stored {
  return withoutUndefined({
    machineType: machine.type,
    machineImage: machine.image?.name,
    machineImageVersion: machine.image?.version,
    diskType: volume?.type,
    volumeSizeGB: volume && parseInt(volume.size, 10),
    autoScalerMin: nodes.minimum,
    autoScalerMax: nodes.maximum,
    maxSurge: nodes.maxSurge ?? 1,
    maxUnavailable: nodes.maxUnavailable ?? 0,
  });
}

const poolOf = (pool: NonNullable<Shoot["provider"]["additionalWorkers"]>[number]): Stored => {
  const { name, zones, labels, annotations, taints } = pool;
  return withoutUndefined({ name, ...nodesOf(pool), zones, labels, annotations, taints });
};

/** A Runtime has two fields for the providers. */
const providersOf = ({ kubernetes: { kubeAPIServer: { oidcConfig, additionalOidcConfig = [] } = {} } = {} }: Shoot) => [
  ...(oidcConfig ? [oidcConfig] : []),
  ...additionalOidcConfig,
];

/** With the defaults of an API server. */
function oidcOf({ groupsPrefix, ...provider }: OidcSpec): Stored {
  const { issuerURL, usernameClaim = "sub" } = provider;
  return {
    signingAlgs: ["RS256"],
    usernameClaim,
    usernamePrefix: usernameClaim === "email" ? NO_PREFIX : `${issuerURL}#`,
    ...provider,
    ...(groupsPrefix !== undefined && groupsPrefix !== NO_PREFIX && { groupsPrefix }),
  };
}

/** What can't be served of a spec, besides its fields. */
export function clusterFaults({ shoot }: RuntimeSpec): Fault[] {
  const { provider, networking } = shoot;
  const hasParts = provider.type === "aws" || provider.type === "azure";
  return [
    ...(hasParts && nodesRange(networking.nodes) === undefined
      ? [mismatch(["spec", "shoot", "networking", "nodes"], JSON.stringify(networking.nodes), NODES_EXPECTED)]
      : []),
  ];
}

const WORKER = "spec.shoot.provider.workers[0]";

/** Where a Runtime has the fields of a cluster. */
const PLACES: Readonly<Record<string, string>> = {
  name: "spec.shoot.name",
  purpose: "spec.shoot.purpose",
  region: "spec.shoot.region",
  licenceType: "spec.shoot.licenceType",
  targetSecret: "spec.shoot.secretBindingName",
  kubernetesVersion: "spec.shoot.kubernetes.version",
  provider: "spec.shoot.provider.type",
  providerSpecificConfig: `${WORKER}.zones`,
  workerCidr: "spec.shoot.networking.nodes",
  podsCidr: "spec.shoot.networking.pods",
  servicesCidr: "spec.shoot.networking.services",
  oidcConfig: "spec.shoot.kubernetes.kubeAPIServer.additionalOidcConfig[0]",
  additionalOidcConfig: "spec.shoot.kubernetes.kubeAPIServer.additionalOidcConfig",
  dualStack: "spec.shoot.networking.dualStack",
  allowedCidrs: "spec.shoot.kubernetes.kubeAPIServer.acl.allowedCIDRs",
  controlPlaneFailureTolerance: "spec.shoot.controlPlane.highAvailability.failureTolerance.type",
  administrators: "spec.security.administrators",
  shootNetworkingFilterBlackholing: "spec.security.networking.filter.ingress.enabled",
  tenant: "metadata.labels",
  subAccount: "metadata.labels",
};

/** Where a worker of a Runtime has the fields of a pool. */
const NODE_PLACES: Readonly<Record<string, string>> = {
  machineType: "machine.type",
  machineImage: "machine.image.name",
  machineImageVersion: "machine.image.version",
  diskType: "volume.type",
  volumeSizeGB: "volume.size",
  autoScalerMin: "minimum",
  autoScalerMax: "maximum",
};

/** Puts the paths of the Runtime before those of the deployment in the faults of a request, one in each line. */
export const inRuntime = (reason: string): string =>
  reason.replace(/^cluster\.(\S+?):/gm, (whole, path: string) => {
    const place = placeOf(path);
    return place === undefined ? whole : `${place} (${whole.slice(0, -1)}):`;
  });

function placeOf(path: string): string | undefined {
  const [, index, field = ""] = /^workerPools\[(\d+)\](?:\.(.*))?$/.exec(path) ?? [];
  if (index !== undefined) {
    const pool = renderPath(["spec", "shoot", "provider", "additionalWorkers", Number(index)]);
    return field === "" ? pool : `${pool}.${NODE_PLACES[field] ?? field}`;
  }
  const [first = ""] = path.split(/[.[]/);
  if (PLACES[first] !== undefined) return PLACES[first];
  return NODE_PLACES[first] === undefined && !/^max/.test(first)
    ? undefined
    : `${WORKER}.${NODE_PLACES[first] ?? first}`;
}
