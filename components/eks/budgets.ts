import { at } from "../../foundation/json/parts";
import * as pulumi from "@pulumi/pulumi";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { isObject, type Json } from "../../foundation/json/isObject";
import { claimedPools } from "../cluster/nodePool/pools";
import { EC2_CLASS, imageAlias, nodePoolManifests } from "../cluster/onEks/nodePoolManifests";
import type { StateResource } from "../resources/ownState";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { POOL_LABEL } from "../cluster/nodePool/plan";
import { AUTO_CLASS } from "./autoMode/autoMode";
import { kubeconfigOf } from "./kubeconfig";

/** Determines the pools of Karpenter or EKS Auto Mode whose nodes an update replaces. Pure. */
const CLUSTER = "aws:eks/cluster:Cluster";

/**
 * Names of the pools whose nodes get another minor version, image or template without `forceUpdate`. Skips pools that
 * are new.
 */
export function driftingPools(
  config: EksConfig,
  state: Readonly<Record<string, StateResource>>,
  releases: Readonly<Record<string, string>> = {},
): string[] {
  const resources = Object.values(state);
  const before = resources.find(({ type }) => type === CLUSTER)?.outputs["version"];
  const objects = resources.flatMap(({ type, outputs }) =>
    type.endsWith(":ManifestSet") ? [outputs["objects"]].flat() : [],
  );
  const named = (kind: string, name: string): Json | undefined =>
    objects.filter(isObject).find((one) => one["kind"] === kind && at(one, "metadata", "name") === name);
  const templates = new Map(
    (config.nodes === "managed" ? [] : nodePoolManifests(config, config.nodes === "auto" ? AUTO_CLASS : EC2_CLASS)).map(
      (one) => [at(one, "metadata", "name"), at(one, "spec", "template")],
    ),
  );
  return Object.entries(claimedPools(config)).flatMap(([name, pool]) => {
    const running = named("NodePool", name);
    if (running === undefined || pool.forceUpdate) return [];
    const [image] = [at(named(EC2_CLASS.kind, name), "spec", "amiSelectorTerms")].flat();
    const alias = at(image, "alias");
    const drifts =
      (before !== undefined && before !== config.version) ||
      (alias !== undefined && alias !== imageAlias(pool.os, releases[name])) ||
      canonicalJson(at(running, "spec", "template")) !== canonicalJson(templates.get(name));
    return drifts ? [name] : [];
  });
}

const GROUP = "aws:eks/nodeGroup:NodeGroup";

type State = Readonly<Record<string, StateResource>>;

/**
 * Warns of PodDisruptionBudgets that block draining nodes that the update replaces. A single query, and none in most
 * runs.
 */
export async function warnOfBudgets(
  config: EksConfig,
  state: State,
  releases: Readonly<Record<string, string>> = {},
): Promise<void> {
  const groups = upgradedPools(config, state, releases);
  const drifting = driftingPools(config, state, releases);
  const pools = [...groups, ...drifting];
  const kubeconfig = kubeconfigIn(config, state);
  if (pools.length === 0 || kubeconfig === undefined) return;
  // Draining a node group ignores Karpenter's annotation.
  const question = { kubeconfig: pulumi.secret(kubeconfig), ...(drifting.length > 0 && { pods: true }) };
  const { blocking, undisturbed, trouble } = (await pulumi.runtime.invoke(
    "stackyard:index:readBudgets",
    question,
  )) as BudgetsAnswer;
  const what = `The upgrade of ${pools.map((name) => `nodePools.${name}`).join(", ")} drains nodes`;
  if (trouble !== undefined) {
    await pulumi.log.warn(`${what}. Which PodDisruptionBudgets keep it from that is not known: ${trouble}`);
    return;
  }
  const pods = drifting.length > 0 ? undisturbed : [];
  if (blocking.length > 0 || pods.length > 0) {
    await pulumi.log.warn(
      [
        ...(blocking.length > 0
          ? [`${what}, and these PodDisruptionBudgets allow no eviction now:`, ...blocking.map((one) => `  - ${one}`)]
          : [`${what}.`]),
        ...(pods.length > 0
          ? ["These pods have the annotation karpenter.sh/do-not-disrupt:", ...pods.map((one) => `  - ${one}`)]
          : []),
        ...(groups.length > 0 && blocking.length > 0 ? GROUP_WAITS : []),
        ...(drifting.length > 0 ? karpenterWaits(config.nodes) : []),
      ].join("\n"),
    );
  }
}

interface BudgetsAnswer {
  readonly blocking: readonly string[];
  readonly undisturbed: readonly string[];
  readonly trouble?: string;
}

const GROUP_WAITS = [
  "EKS tries for 15 minutes on each node and then fails with PodEvictionFailure. Run more replicas or relax the budget, or set",
  "forceUpdate: true on the pool, which deletes such pods.",
];

const karpenterWaits = (nodes: EksConfig["nodes"]): string[] => [
  `${nodes === "auto" ? "EKS Auto Mode" : "Karpenter"} leaves nodes with such pods as they are, so they keep the older version, and does not remove them when they are`,
  "underutilized either. Run more replicas, relax the budget or remove the annotation, or set forceUpdate: true on the pool, which ends such pods after 15 minutes.",
];

/** Names of the pools whose nodes get another minor version or image release without `forceUpdate`. Pure. */
export function upgradedPools(
  { version, nodePools }: Pick<EksConfig, "version" | "nodePools">,
  state: State,
  releases: Readonly<Record<string, string>> = {},
): string[] {
  const before = Object.values(state).flatMap(({ type, outputs }) => {
    const {
      labels,
      version: minor,
      releaseVersion,
    } = outputs as {
      labels?: Readonly<Record<string, string>>;
      version?: string;
      releaseVersion?: string;
    };
    return type === GROUP ? [{ of: labels?.[POOL_LABEL], minor, releaseVersion }] : [];
  });
  return Object.entries(nodePools).flatMap(([name, pool]) => {
    const next = pool.version ?? version;
    const release = releases[name];
    const isUpgraded = before.some(
      ({ of, minor, releaseVersion }) =>
        of === name &&
        ((minor !== undefined && minor !== next) ||
          (release !== undefined && releaseVersion !== undefined && releaseVersion !== release)),
    );
    return isUpgraded && !pool.forceUpdate ? [name] : [];
  });
}

/** A kubeconfig for the existing cluster, built from its outputs in the state. */
function kubeconfigIn({ region }: Pick<EksConfig, "region">, state: State): string | undefined {
  const { outputs } = Object.values(state).find(({ type }) => type === "aws:eks/cluster:Cluster") ?? {};
  const { name, endpoint, certificateAuthority } = (outputs ?? {}) as {
    name?: string;
    endpoint?: string;
    certificateAuthority?: { data?: string };
  };
  const { data } = certificateAuthority ?? {};
  if (name === undefined || endpoint === undefined || data === undefined) return undefined;
  return kubeconfigOf({ name, region, server: endpoint, authority: data });
}
