import { getClusterOutput } from "@pulumi/aws/eks";
import { getOpenIdConnectProviderOutput } from "@pulumi/aws/iam";
import type { ProviderResource } from "@pulumi/pulumi";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../cluster/cluster";
import type { ClusterConfig } from "../cluster/clusterConfig";
import { withSteadyPools } from "../cluster/nodePool/placedPods";
import { runningGroups } from "../cluster/nodePool/size";
import type { ExistingEks, Identity } from "../cluster/onEks/onEks";
import type { RoleCluster } from "../cluster/serviceAccountRole/serviceAccountRole";
import type { Site } from "../contract/site";
import type { StateResources } from "../resources/ownState";
import { warnOfBudgets } from "./budgets";
import { refuseImpossibleChanges, runningCluster } from "./changes";
import { awsProvider, EksCluster } from "./eksCluster";
import { importing } from "./importing";
import { checkAddons } from "./preflight/addons";
import { hardwareOf } from "./preflight/hardware";
import { preflight } from "./preflight/preflight";
import { checkRoleNames } from "./preflight/roleNames";
import { knownVersions } from "./versions/known";
import { checkReadiness } from "./versions/readiness";
import { stageOf } from "./versions/stages";
import { checkSupport } from "./versions/support";

/** Looks up what a `ServiceAccountRole` needs to know about an existing cluster. */
function existingIdentity(name: string, config: ExistingEks, { parent, made }: Site): RoleCluster {
  const aws = awsProvider(name, config, { parent });
  const own = made ? made.apply(() => config.name) : config.name;
  const found = getClusterOutput({ name: own }, { provider: aws });
  const url = found.identities.apply((all) => all[0]?.oidcs[0]?.issuer ?? "");
  return {
    name: config.name,
    arn: found.arn,
    vpcId: found.vpcConfig.vpcId,
    permissionsBoundary: config.roles.permissionsBoundary,
    oidcProviderArn: config.oidcProviderArn ?? providerOf(config.identity, url, aws),
    oidcProviderUrl: url,
    aws,
  };
}

/** Pod Identity needs no OIDC provider. */
const providerOf = (
  identity: Identity,
  url: pulumi.Output<string>,
  provider: pulumi.ProviderResource,
): pulumi.Input<string> => (identity === "irsa" ? getOpenIdConnectProviderOutput({ url }, { provider }).arn : "");

/** The cluster of a platform on EKS: an existing one, or one that is created. */
export async function clusterOnEks(
  name: string,
  config: ClusterConfig,
  site: Site,
): Promise<{ readonly cluster: Cluster; readonly network?: EksCluster["network"] }> {
  const state = await site.state;
  const opts = { parent: site.parent };
  if (config.type === "existing") {
    const identity = config.eks && existingIdentity(`${name}-eks`, config.eks, site);
    await checkRoles(config, site, state, identity?.aws);
    const args = { existing: config.access, offered: site.offered, ...(identity && { identity }) };
    return { cluster: new Cluster(name, args, opts) };
  }
  refuseImpossibleChanges(state, config.eks);
  const { config: eks, note, nodesFirst } = stageOf(config.eks, state);
  const aws = awsProvider(`${name}-eks`, eks, opts);
  const from = runningCluster(Object.values(state))?.version;
  const [versions, hardware] = await Promise.all([
    knownVersions(eks, state, aws),
    hardwareOf(eks, aws),
    preflight(eks, site.pods, state, aws),
    checkRoles(config, site, state, aws),
    checkReadiness({ ...config.eks, nodesFirst }, from),
    checkSupport(config.eks, from, aws),
  ]);
  await checkAddons(eks, versions.addons, Object.values(state), aws);
  if (note !== undefined) await pulumi.log.warn(note);
  await warnOfBudgets(eks, state, versions.images);
  const make = eks.type === "eks" ? undefined : (await import("./pulumiEks.js")).makeByPulumiEks;
  const args = {
    config: withSteadyPools(eks, site.pods),
    running: runningGroups(state),
    state,
    versions,
    hardware,
    aws,
    make,
  };
  const transformations = [importing(`${name}-eks`, eks.imports)];
  const made = new EksCluster(`${name}-eks`, args, { ...opts, transformations });
  const { kubeconfig, server, identity, nodeSource, network } = made;
  return {
    cluster: new Cluster(name, { existing: { kubeconfig, server }, identity, nodeSource, made }, opts),
    network,
  };
}

const checkRoles = (
  config: ClusterConfig,
  { roles }: Site,
  state: StateResources,
  aws: ProviderResource | undefined,
): Promise<void> => checkRoleNames(config, roles, Object.values(state), aws);
