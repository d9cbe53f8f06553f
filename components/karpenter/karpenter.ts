import type { Grant } from "@pulumi/aws/kms";
import * as pulumi from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import { ManifestSet } from "../resources/manifestSet";
import { component } from "../resources/package";
import type { Cluster } from "../cluster/cluster";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { rolePrefix } from "../cluster/onEks/onEks";
import { createDiskGrants, diskKeys, launcherArn } from "../cluster/serviceAccountRole/diskGrants";
import { claimedPools } from "../cluster/nodePool/pools";
import { withAws } from "../cluster/serviceAccountRole/serviceAccountRole";
import { createSystemRelease, createSystemRole } from "../cluster/systemChart/systemChart";
import type { DataPart } from "../resources/dataGuard";
import { Interruptions } from "./interruptions";
import { EC2_CLASS, ec2ClassManifest, nodePoolManifests } from "../cluster/onEks/nodePoolManifests";
import { karpenterStatements } from "./permissions";
import type { KarpenterSettings, KnownSource, NodeSource } from "../cluster/onEks/karpenterSettings";
import { KARPENTER, karpenterValues } from "./values";

export interface KarpenterArgs {
  /** The cluster to install on. */
  readonly cluster: Cluster;
  /** The fetched charts, including the upstream one. */
  readonly charts: Charts;
  /** Plain, because names and the shape of the graph depend on it. */
  readonly config: EksConfig;
  /** Decoded settings of Karpenter. Plain, like `config`. */
  readonly settings: KarpenterSettings;
  /** Role, subnets and images of the nodes. */
  readonly source: NodeSource;
}

/**
 * Karpenter on EKS: the upstream chart with a role limited to the instances of this cluster, a queue of interruptions,
 * and a NodePool and EC2NodeClass for each node pool of the config.
 */
export class Karpenter extends pulumi.ComponentResource {
  /** What the guard of data protects. */
  readonly dataParts: readonly DataPart[];

  constructor(name: string, args: KarpenterArgs, opts?: pulumi.ComponentResourceOptions) {
    const { cluster, charts, config, settings, source } = args;
    if (!cluster.identity) throw new pulumi.InputPropertyError({ propertyPath: "cluster", reason: "not on EKS" });
    super(component("Karpenter"), name, {}, withAws(cluster.identity, opts));
    const { queueName, queueArn } = new Interruptions(
      `${name}-interruptions`,
      { cluster: config.name },
      { parent: this },
    );
    const statements = pulumi
      .all([cluster.identity.arn, source.role.arn, queueArn])
      .apply(([clusterArn, nodeRoleArn, queue]) => karpenterStatements({ clusterArn, nodeRoleArn, queueArn: queue }));
    const { identity } = config;
    const role = createSystemRole(
      name,
      { cluster, rolePrefix: rolePrefix(config), identity, account: KARPENTER, statements },
      this,
    );
    const annotated = identity === "irsa" ? role?.roleArn : undefined;
    const values = pulumi
      .all([queueName, annotated])
      .apply(([queue, roleArn]) => karpenterValues(settings, { ...config, queueName: queue, roleArn }));
    const { timeoutSeconds } = settings;
    const { release, dataPart } = createSystemRelease(
      name,
      { cluster, charts, chart: "karpenter", account: KARPENTER, values, timeoutSeconds, dependsOn: [role] },
      this,
    );
    this.dataParts = [dataPart];
    const known = pulumi
      .all([
        source.role.name,
        pulumi.all([...source.subnetIds]),
        source.securityGroupId,
        pulumi.output(source.placementGroups ?? {}),
      ])
      .apply(([roleName, subnetIds, securityGroupId, placementGroups]): KnownSource => ({
        ...{ roleName, subnetIds, securityGroupId, images: source.images, placementGroups },
      }));
    // During a preview, the kinds do not exist until the release has installed them. On destroy, the set is deleted
    // first: deleting a class waits until Karpenter has removed all its nodes, which would otherwise block the VPC.
    const objects = pulumi.all([release.id, known]).apply(([, found]) => poolObjects(config, found));
    const set = {
      ...cluster.access,
      name: "node-pools",
      namespace: KARPENTER.namespace,
      objects,
      timeoutSeconds: DRAIN_SECONDS,
    };
    const grants = role ? this.grantKeys(name, config, cluster.identity.arn, role.roleArn) : [];
    new ManifestSet(`${name}-pools`, set, { parent: this, dependsOn: [release, ...grants] });
    this.registerOutputs({});
  }

  /** Karpenter launches with its own role, and Spot with the one of Spot. */
  private grantKeys(
    name: string,
    config: EksConfig,
    clusterArn: pulumi.Input<string>,
    roleArn: pulumi.Input<string>,
  ): Grant[] {
    const pools = claimedPools(config);
    const spot = Object.fromEntries(Object.entries(pools).filter(([, { capacity }]) => capacity === "spot"));
    return [
      ...createDiskGrants(`${name}-disk-key`, diskKeys(pools), roleArn, this),
      ...createDiskGrants(`${name}-disk-key-spot`, diskKeys(spot), launcherArn(clusterArn, "spot"), this),
    ];
  }
}

/** Timeout in seconds for draining the nodes of a deleted pool. */
const DRAIN_SECONDS = 1200;

/** Classes come first: a NodePool without its class is not ready. */
function poolObjects(config: EksConfig, source: KnownSource): Record<string, unknown>[] {
  const pools = Object.entries(claimedPools(config));
  const tags = (pool: string) => ({ ...config.tags, Name: `${config.name}-${pool}` });
  return [
    ...pools.map(([pool, each]) => ec2ClassManifest(pool, each, source, { tags: tags(pool), minor: config.version })),
    ...nodePoolManifests(config, EC2_CLASS),
  ];
}
