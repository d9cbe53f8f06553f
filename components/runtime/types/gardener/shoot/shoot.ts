import { withoutUndefined } from "../../../../../foundation/json/withoutUndefined";
import type { ClusterRequest } from "../../../request/cluster/shape";
import { FIRST_POOL, type NodeFields, type WorkerPool } from "../../../request/cluster/workers";
import type { Manifest } from "../../../templates/render";
import { cloudOf, type Cloud, type CloudOptions } from "./clouds";
import { extensionsOf } from "./extensions";

/** The worker pools of a Shoot: first the pool that every cluster has, then the others. Pure. */
const workersOf = (cluster: ClusterRequest, cloud: Cloud): object[] => [
  worker(FIRST_POOL, cluster, cloud.zones, cloud),
  ...(cluster.workerPools ?? []).map((pool) => ({
    ...worker(pool.name, pool, pool.zones ?? cloud.zones, cloud),
    ...extras(pool),
  })),
];

function worker(name: string, nodes: NodeFields, zones: readonly string[], cloud: Cloud): object {
  const { machineType, machineImage, machineImageVersion, diskType, volumeSizeGB } = nodes;
  const image = machineImage !== undefined && {
    image: { name: machineImage, ...(machineImageVersion !== undefined && { version: machineImageVersion }) },
  };
  return {
    name,
    machine: { type: machineType, ...image },
    minimum: nodes.autoScalerMin,
    maximum: nodes.autoScalerMax,
    maxSurge: nodes.maxSurge ?? 1,
    maxUnavailable: nodes.maxUnavailable ?? 0,
    ...(zones.length > 0 && { zones }),
    ...(volumeSizeGB !== undefined && {
      volume: { ...(diskType !== undefined && { type: diskType }), size: `${volumeSizeGB}Gi` },
    }),
    ...(cloud.workerConfig && { providerConfig: cloud.workerConfig }),
  };
}

const extras = ({ labels, annotations, taints }: WorkerPool): object => ({
  ...(labels && { labels }),
  ...(annotations && { annotations }),
  ...(taints && { taints }),
});

/**
 * Creates a Shoot from a cluster, with the same fields for each version of Kubernetes. Gardener replaced some of them;
 * kubernetes/gardener/versionFields.ts converts them. Pure.
 */

/** Begin and end in Gardener's format: `220000+0100`. */
interface Window {
  readonly begin: string;
  readonly end: string;
}

/** The object with the cloud account. */
export interface CloudBinding {
  readonly kind: "SecretBinding" | "CredentialsBinding";
  readonly name: string;
}

export interface ShootOptions extends CloudOptions {
  readonly name: string;
  /** Namespace of the Gardener project. */
  readonly namespace: string;
  readonly binding: CloudBinding;
  /** Id of the deployment. */
  readonly runtimeId: string;
  readonly hibernated: boolean;
  /** Maintenance windows of production clusters, by region. */
  readonly maintenanceWindows?: Readonly<Record<string, Window>>;
  /** ConfigMap with the audit policy. */
  readonly auditPolicy?: string;
  /** Ranges that may call each API server that does not admit all. */
  readonly allowedCidrs?: readonly string[];
}

/** The extensions for the clouds accept IPv6 only without an overlay network. */
const DUAL_STACK = {
  ipFamilies: ["IPv4", "IPv6"],
  providerConfig: {
    apiVersion: "calico.networking.extensions.gardener.cloud/v1alpha1",
    kind: "NetworkConfig",
    overlay: { enabled: false },
  },
};

/** Prefixes of the original Runtime Provisioner's annotations: the current and the former one. */
const ANNOTATIONS = ["kcp.provisioner.kyma-project.io", "compass.provisioner.kyma-project.io"] as const;

/** Gardener's first form, as of all fields here: the resource converts them for the version of Kubernetes. */
const EU_ACCESS = "support.gardener.cloud/eu-access-for-cluster-nodes";

/** Regions whose Seeds accept only Shoots with a toleration. */
const TOLERATIONS: Readonly<Record<string, string>> = { "me-central2": "ksa-assured-workload" };

/** Kubernetes minor version that removed PodSecurityPolicies, and with them the field for privileged containers. */
const NO_PRIVILEGED_MINOR = 25;

/** `cluster`: complete and without faults. */
export function shootOf(cluster: ClusterRequest, options: ShootOptions): Manifest {
  const cloud = cloudOf(cluster, options);
  const { tenant, subAccount, licenceType, euAccess } = cluster;
  return {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: {
      name: options.name,
      namespace: options.namespace,
      labels: withoutUndefined({ account: tenant, subaccount: subAccount }),
      annotations: {
        ...Object.fromEntries(ANNOTATIONS.map((prefix) => [`${prefix}/runtime-id`, options.runtimeId])),
        ...(licenceType !== undefined && { [`${ANNOTATIONS[0]}/licence-type`]: licenceType }),
        ...(euAccess === true && { [EU_ACCESS]: "true" }),
      },
    },
    spec: specOf(cluster, cloud, options),
  };
}

function specOf(cluster: ClusterRequest, cloud: Cloud, options: ShootOptions): object {
  const { region = "", purpose, seed, podsCidr, servicesCidr, dnsConfig, controlPlaneFailureTolerance } = cluster;
  const exposureClassName = cloud.exposureClassName ?? cluster.exposureClassName;
  const toleration = TOLERATIONS[region];
  return {
    cloudProfileName: cloud.cloudProfile,
    [options.binding.kind === "SecretBinding" ? "secretBindingName" : "credentialsBindingName"]: options.binding.name,
    region,
    ...(purpose !== undefined && { purpose }),
    ...(seed !== undefined && { seedName: seed }),
    ...(exposureClassName !== undefined && { exposureClassName }),
    ...(cluster.shootAndSeedSameRegion === true && seed === undefined && { seedSelector: sameRegion(region, cloud) }),
    kubernetes: kubernetesOf(cluster, options.auditPolicy),
    networking: {
      ...withoutUndefined({ type: "calico", nodes: cloud.nodes, pods: podsCidr, services: servicesCidr }),
      ...(cluster.dualStack === true && DUAL_STACK),
    },
    maintenance: maintenanceOf(cluster, options),
    ...(dnsConfig && { dns: dnsOf(dnsConfig) }),
    extensions: extensionsOf(cluster, options.allowedCidrs),
    hibernation: hibernationOf(cluster, options.hibernated),
    ...(controlPlaneFailureTolerance !== undefined && {
      controlPlane: { highAvailability: { failureTolerance: { type: controlPlaneFailureTolerance } } },
    }),
    ...(toleration !== undefined && { tolerations: [{ key: toleration }] }),
    provider: {
      type: cloud.type,
      infrastructureConfig: cloud.infrastructureConfig,
      controlPlaneConfig: cloud.controlPlaneConfig,
      workers: workersOf(cluster, cloud),
      workersSettings: { sshAccess: { enabled: false } },
    },
  };
}

/** Selects Seeds by the label with their region. */
const sameRegion = (region: string, { type }: Cloud): object => ({
  matchLabels: { "seed.gardener.cloud/region": region },
  providerTypes: [type],
});

function kubernetesOf(cluster: ClusterRequest, auditPolicy: string | undefined): object {
  const { kubernetesVersion = "", allowPrivilegedContainers, additionalOidcConfig = [] } = cluster;
  const [oidcConfig, ...others] = [...(cluster.oidcConfig ? [cluster.oidcConfig] : []), ...additionalOidcConfig];
  const minor = Number(kubernetesVersion.split(".")[1]);
  const privileged = minor < NO_PRIVILEGED_MINOR && allowPrivilegedContainers !== undefined;
  const apiServer = {
    ...(oidcConfig && { oidcConfig }),
    // No field of Gardener: its form for many providers is a ConfigMap.
    ...(others.length > 0 && { additionalOidcConfig: others }),
    ...(auditPolicy !== undefined && { auditConfig: { auditPolicy: { configMapRef: { name: auditPolicy } } } }),
  };
  return {
    version: kubernetesVersion,
    enableStaticTokenKubeconfig: false,
    ...(privileged && { allowPrivilegedContainers }),
    ...(Object.keys(apiServer).length > 0 && { kubeAPIServer: apiServer }),
  };
}

function maintenanceOf(cluster: ClusterRequest, { maintenanceWindows = {} }: ShootOptions): object {
  const { purpose, region = "", maintenanceWindow } = cluster;
  const window = maintenanceWindow ?? (purpose === "production" ? maintenanceWindows[region] : undefined);
  return {
    autoUpdate: {
      kubernetesVersion: cluster.enableKubernetesVersionAutoUpdate ?? false,
      machineImageVersion: cluster.enableMachineImageVersionAutoUpdate ?? false,
    },
    ...(window && { timeWindow: window }),
  };
}

const dnsOf = ({ domain, providers = [] }: NonNullable<ClusterRequest["dnsConfig"]>): object => ({
  domain,
  ...(providers.length > 0 && {
    providers: providers.map(({ domainsInclude = [domain], ...provider }) => ({
      ...provider,
      domains: { include: domainsInclude },
    })),
  }),
});

const hibernationOf = ({ hibernationSchedules = [] }: ClusterRequest, enabled: boolean): object => ({
  enabled,
  ...(hibernationSchedules.length > 0 && { schedules: hibernationSchedules }),
});
