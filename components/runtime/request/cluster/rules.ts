import type { Path } from "../../../../foundation/schema/faults";
import type { Issue } from "./issue";
import { networkIssues } from "./networks";
import { PROVIDERS, providerOf, type Provider } from "./providers";
import type { ClusterRequest } from "./shape";
import { FIRST_POOL, type NodeFields } from "./workers";
import { zoneIssues } from "./zones";

/** Checks across the fields of a cluster, as far as they are set. Pure. */

export const clusterIssues = (cluster: ClusterRequest): Issue[] => [
  ...providerIssues(cluster),
  ...nodeIssues(cluster, []),
  ...poolIssues(cluster),
  ...zoneIssues(cluster),
  ...scheduleIssues(cluster),
  ...filterIssues(cluster),
  ...accessIssues(cluster),
  ...networkIssues(cluster),
];

function providerIssues(cluster: ClusterRequest): Issue[] {
  const provider = providerOf(cluster);
  const { providerSpecificConfig: blocks } = cluster;
  if (blocks === undefined || provider === undefined) return [];
  const at = "providerSpecificConfig";
  const own = PROVIDERS[provider].block;
  const others = Object.values(PROVIDERS)
    .map(({ block }) => block)
    .filter((key) => key !== own && blocks[key] !== undefined);
  const issues: Issue[] = others.map((key) => ({ path: [at, key], expected: `only ${own}, for provider ${provider}` }));
  if (blocks[own] === undefined) issues.push({ path: [at, own], expected: `an object, for provider ${provider}` });
  const { azureConfig, awsConfig } = blocks;
  if (azureConfig?.zones && azureConfig.azureZones) {
    issues.push({ path: [at, "azureConfig", "zones"], expected: "nothing beside azureZones" });
  }
  if (azureConfig?.idleConnectionTimeoutMinutes !== undefined && azureConfig.idleConnectionTimeoutMinutes < 4) {
    issues.push({
      path: [at, "azureConfig", "idleConnectionTimeoutMinutes"],
      expected: "a whole number from 4 to 120",
    });
  }
  if (awsConfig) issues.push(...awsIssues(awsConfig, cluster.workerCidr));
  return issues;
}

/** Early clients set a single zone with its own field, and the range of nodes in the cluster. */
function awsIssues(
  {
    awsZones,
    zone,
    publicCidr,
    internalCidr,
  }: NonNullable<NonNullable<ClusterRequest["providerSpecificConfig"]>["awsConfig"]>,
  workerCidr: string | undefined,
): Issue[] {
  const at = ["providerSpecificConfig", "awsConfig"];
  const single = { zone, publicCidr, internalCidr };
  const given = Object.entries(single).filter(([, value]) => value !== undefined);
  if (awsZones) return given.map(([key]) => ({ path: [...at, key], expected: "nothing beside awsZones" }));
  if (given.length === 0) return [{ path: [...at, "awsZones"], expected: "at least one zone" }];
  const missing = Object.entries(single).filter(([, value]) => value === undefined);
  const issues: Issue[] = missing.map(([key]) => ({
    path: [...at, key],
    expected: "a value, as there are no awsZones",
  }));
  if (workerCidr === undefined) issues.push({ path: ["workerCidr"], expected: "the range of the zone's nodes" });
  return issues;
}

/** Types of disks that Gardener's extensions refuse for nodes as we configure them. */
const UNUSABLE_DISKS: Partial<Record<Provider, { readonly type: string; readonly because: string }>> = {
  gcp: { type: "SCRATCH", because: "no node can boot from a SCRATCH disk" },
  aws: { type: "io1", because: "io1 needs a number of IOPS, which can't be set" },
};

function nodeIssues(cluster: ClusterRequest, path: Path, nodes: NodeFields = cluster): Issue[] {
  const { autoScalerMin, autoScalerMax, maxSurge, maxUnavailable, machineImage, machineImageVersion } = nodes;
  const issues: Issue[] = [];
  if (autoScalerMin !== undefined && autoScalerMax !== undefined && autoScalerMin > autoScalerMax) {
    issues.push({ path: [...path, "autoScalerMin"], expected: `at most autoScalerMax, which is ${autoScalerMax}` });
  }
  if (autoScalerMax === 0 && path.length === 0) {
    issues.push({ path: ["autoScalerMax"], expected: "at least 1: something has to run in the cluster" });
  }
  if (maxSurge === 0 && maxUnavailable === 0) {
    issues.push({
      path: [...path, "maxUnavailable"],
      expected: "at least 1 where maxSurge is 0: no node could be replaced",
    });
  }
  if (machineImageVersion !== undefined && machineImage === undefined) {
    issues.push({ path: [...path, "machineImageVersion"], expected: "nothing without machineImage" });
  }
  const provider = providerOf(cluster);
  const unusable = provider && UNUSABLE_DISKS[provider];
  if (unusable && nodes.diskType === unusable.type)
    issues.push({ path: [...path, "diskType"], expected: `another type: ${unusable.because}` });
  if (provider === "openstack" && nodes.diskType !== undefined)
    issues.push({ path: [...path, "diskType"], expected: "nothing with provider openstack" });
  return issues;
}

function poolIssues(cluster: ClusterRequest): Issue[] {
  const names = new Set([FIRST_POOL]);
  return (cluster.workerPools ?? []).flatMap((pool, index) => {
    const path = ["workerPools", index];
    const issues = nodeIssues(cluster, path, pool);
    if (names.has(pool.name)) issues.push({ path: [...path, "name"], expected: "a name that no other pool has" });
    names.add(pool.name);
    return issues;
  });
}

const scheduleIssues = ({ hibernationSchedules = [] }: ClusterRequest): Issue[] =>
  hibernationSchedules.flatMap(({ start, end }, index) =>
    start === undefined && end === undefined
      ? [{ path: ["hibernationSchedules", index], expected: "an object with start, end or both" }]
      : [],
  );

const filterIssues = ({
  shootNetworkingFilterBlackholing: drops,
  shootNetworkingFilterDisabled: isDisabled = true,
}: ClusterRequest): Issue[] =>
  drops === true && isDisabled
    ? [
        {
          path: ["shootNetworkingFilterBlackholing"],
          expected: "false, or shootNetworkingFilterDisabled: false: there is no filter",
        },
      ]
    : [];

/** Structured authentication, which has many providers, begins with this minor version. */
const MANY_PROVIDERS_MINOR = 32;

function accessIssues(cluster: ClusterRequest): Issue[] {
  const { oidcConfig, additionalOidcConfig: more = [], kubernetesVersion, dualStack, allowedCidrs = [] } = cluster;
  const provider = providerOf(cluster);
  const issues: Issue[] = [];
  if (more.length > 0 && Number(kubernetesVersion?.split(".")[1]) < MANY_PROVIDERS_MINOR) {
    const expected = `nothing before Kubernetes 1.${MANY_PROVIDERS_MINOR}, whose API servers have one provider`;
    issues.push({ path: ["additionalOidcConfig"], expected });
  }
  const issuers = [...(oidcConfig ? [oidcConfig.issuerURL] : [])];
  more.forEach(({ issuerURL }, index) => {
    const path = ["additionalOidcConfig", index, "issuerURL"];
    if (issuers.includes(issuerURL)) issues.push({ path, expected: "an issuer that no other provider has" });
    issuers.push(issuerURL);
  });
  if (dualStack === true && provider !== undefined && provider !== "aws" && provider !== "gcp")
    issues.push({ path: ["dualStack"], expected: `false with provider ${provider}: Gardener has it on aws and gcp` });
  if (allowedCidrs.length > 0 && provider === "gcp") {
    const expected = "nothing with provider gcp, where the addresses of nodes change and would be refused";
    issues.push({ path: ["allowedCidrs"], expected });
  }
  return issues;
}
