import { isDeepStrictEqual } from "node:util";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { FIRST_POOL, type NodeFields, type WorkerPool } from "../../../components/runtime/request/cluster/workers";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { at, listAt, numberAt, textAt, type KubeObject, isList } from "../../../kubernetes/objects/objects";
import { EU_ACCESS_ANNOTATION } from "../../../kubernetes/gardener/versionFields";

/** Returns the provider block of a request from the Shoot of a cluster. Pure. */
function providerBlockOf(shoot: KubeObject, worker: Json): Json | undefined {
  const infrastructure = at(shoot, "spec", "provider", "infrastructureConfig");
  const zones = isList(worker["zones"]) ? worker["zones"] : [];
  const provider = textAt(shoot, "spec", "provider", "type");
  const networks = at(infrastructure, "networks");
  if (provider === "gcp") return { gcpConfig: { zones } };
  if (provider === "azure") return { azureConfig: azure(networks, zones) };
  if (provider === "aws") return { awsConfig: aws(networks, worker) };
  if (provider !== "openstack") return undefined;
  return {
    openStackConfig: {
      zones,
      floatingPoolName: textAt(infrastructure, "floatingPoolName"),
      cloudProfileName: textAt(shoot, "spec", "cloudProfileName"),
      loadBalancerProvider: textAt(shoot, "spec", "provider", "controlPlaneConfig", "loadBalancerProvider"),
    },
  };
}

function azure(networks: unknown, zones: readonly unknown[]): Json {
  const own = listAt(networks, "zones");
  const gateway = at(own[0] ?? networks, "natGateway");
  const isEnabled = at(gateway, "enabled") === true;
  return {
    vnetCidr: textAt(networks, "vnet", "cidr"),
    ...(own.length > 0
      ? { azureZones: own.map(({ name, cidr }) => ({ name, cidr })) }
      : zones.length > 0
        ? { zones }
        : {}),
    ...(isEnabled && {
      enableNatGateway: true,
      idleConnectionTimeoutMinutes: at(gateway, "idleConnectionTimeoutMinutes"),
    }),
  };
}

function aws(networks: unknown, worker: Json): Json {
  return {
    vpcCidr: textAt(networks, "vpc", "cidr"),
    awsZones: listAt(networks, "zones").map((zone) => ({
      name: zone["name"],
      publicCidr: zone["public"],
      internalCidr: zone["internal"],
      workerCidr: zone["workers"],
    })),
    ...(textAt(worker, "providerConfig", "instanceMetadataOptions", "httpTokens") === "required" && {
      enableIMDSv2: true,
    }),
  };
}

/**
 * Reconstructs the request that would create a Shoot again. Values that Gardener chooses and changes (seed, domain,
 * node images) are not included. Administrators and Kyma are inside the cluster and can't be seen. Pure.
 */
export function clusterRequestOf(shoot: KubeObject): ClusterRequest {
  const { name, labels = {}, annotations = {} } = shoot.metadata;
  const text = (...path: string[]): string | undefined => textAt(shoot, "spec", ...path);
  const workers = listAt(shoot, "spec", "provider", "workers");
  const first = workers.find((worker) => worker["name"] === FIRST_POOL) ?? workers[0] ?? {};
  const provider = text("provider", "type");
  const filter = listAt(shoot, "spec", "extensions").find(({ type }) => type === "shoot-networking-filter");
  const access = listAt(shoot, "spec", "extensions").find(({ type }) => type === "acl");
  const autoUpdate = at(shoot, "spec", "maintenance", "autoUpdate");
  const isForced = provider === "openstack";
  const others = workers.filter((worker) => worker !== first).map((worker) => poolSeen(worker, !isForced));
  return whole<ClusterRequest>({
    name,
    kubernetesVersion: text("kubernetes", "version"),
    provider,
    targetSecret: text("credentialsBindingName") ?? text("secretBindingName"),
    region: text("region"),
    ...nodesSeen(first, !isForced),
    workerCidr: workerCidr(shoot),
    podsCidr: text("networking", "pods"),
    servicesCidr: text("networking", "services"),
    purpose: text("purpose"),
    licenceType: annotations["kcp.provisioner.kyma-project.io/licence-type"],
    enableKubernetesVersionAutoUpdate: at(autoUpdate, "kubernetesVersion"),
    enableMachineImageVersionAutoUpdate: at(autoUpdate, "machineImageVersion"),
    providerSpecificConfig: providerBlockOf(shoot, first),
    dnsConfig: dnsSeen(shoot),
    oidcConfig: at(shoot, "spec", "kubernetes", "kubeAPIServer", "oidcConfig"),
    additionalOidcConfig: some(listAt(shoot, "spec", "kubernetes", "kubeAPIServer", "additionalOidcConfig")),
    dualStack: isDeepStrictEqual(at(shoot, "spec", "networking", "ipFamilies"), ["IPv4", "IPv6"]) || undefined,
    allowedCidrs: access?.["disabled"] === true ? undefined : at(access, "providerConfig", "rule", "cidrs"),
    exposureClassName: isForced ? undefined : text("exposureClassName"),
    shootNetworkingFilterDisabled: filter?.["disabled"],
    shootNetworkingFilterBlackholing:
      at(filter, "providerConfig", "egressFilter", "blackholingEnabled") === true || undefined,
    controlPlaneFailureTolerance: text("controlPlane", "highAvailability", "failureTolerance", "type"),
    euAccess: annotations[EU_ACCESS_ANNOTATION] === "true" ? true : undefined,
    shootAndSeedSameRegion: at(shoot, "spec", "seedSelector") === undefined ? undefined : true,
    workerPools: some(others),
    hibernationSchedules: some(listAt(shoot, "spec", "hibernation", "schedules")),
    maintenanceWindow: at(shoot, "spec", "maintenance", "timeWindow"),
    tenant: labels["account"],
    subAccount: labels["subaccount"],
  });
}

/** AWS defines the range per zone, and Azure may. */
function workerCidr(shoot: KubeObject): string | undefined {
  const networks = at(shoot, "spec", "provider", "infrastructureConfig", "networks");
  const ofVpc = at(networks, "vpc") !== undefined || listAt(networks, "zones").length > 0;
  return textAt(networks, "workers") ?? (ofVpc ? undefined : textAt(shoot, "spec", "networking", "nodes"));
}

/** A request for OpenStack names no type of a disk. */
function nodesSeen(worker: Json, hasType: boolean): NodeFields {
  return whole<NodeFields>({
    machineType: textAt(worker, "machine", "type"),
    diskType: hasType ? textAt(worker, "volume", "type") : undefined,
    volumeSizeGB: gibIn(textAt(worker, "volume", "size")),
    autoScalerMin: numberAt(worker, "minimum"),
    autoScalerMax: numberAt(worker, "maximum"),
    maxSurge: worker["maxSurge"],
    maxUnavailable: worker["maxUnavailable"],
  });
}

/** GiB of a size, such as 50Gi or 1Ti, rounded up. */
function gibIn(size: string | undefined): number | undefined {
  const [, number, unit = ""] = /^(\d+)([GT]i?)$/.exec(size ?? "") ?? [];
  const bytes = { G: 1e9, T: 1e12, Gi: 2 ** 30, Ti: 2 ** 40 }[unit];
  return bytes === undefined ? undefined : Math.ceil((Number(number) * bytes) / 2 ** 30);
}

function poolSeen(worker: Json, hasType: boolean): WorkerPool {
  const { name, zones, labels, annotations, taints } = worker;
  return whole<WorkerPool>({ name, ...nodesSeen(worker, hasType), zones, labels, annotations, taints });
}

/** Gardener generates domains without a provider. */
function dnsSeen(shoot: KubeObject): Json | undefined {
  const providers = listAt(shoot, "spec", "dns", "providers");
  if (providers.length === 0) return undefined;
  return {
    domain: textAt(shoot, "spec", "dns", "domain"),
    providers: providers.map(({ domains, ...provider }) => ({ ...provider, domainsInclude: at(domains, "include") })),
  };
}

const some = (list: readonly object[]): readonly object[] | undefined => (list.length > 0 ? list : undefined);

/** Removes undefined fields. Gardener has already checked the types. */
const whole = <T>(fields: Readonly<Record<string, unknown>>): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && !(isObject(value) && isEmpty(value))),
  ) as T;

const isEmpty = (object: Json): boolean => Object.keys(object).length === 0;
