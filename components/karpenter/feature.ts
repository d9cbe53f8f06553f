import { valueAt } from "../../foundation/schema/describe";
import { mirrorValues } from "../charts/images";
import { oneRelease } from "../charts/plannedRelease";
import { withSteadyPools } from "../cluster/nodePool/placedPods";
import type { KarpenterSettings } from "../cluster/onEks/karpenterSettings";
import { prefixedRole } from "../cluster/serviceAccountRole/plan";
import { feature } from "../feature";
import { KARPENTER } from "./values";

export interface KarpenterPart {
  /** Set if Karpenter creates the nodes. */
  readonly karpenter?: KarpenterSettings;
}

/** Karpenter. It has no key of its own: `cluster.nodes` enables it, and its settings are those of the cluster. */
export const karpenter = feature({
  name: "karpenter",
  keys: {},
  isUsed: ({ cluster }) => valueAt({ cluster }, ["cluster", "nodes"]) === "karpenter",

  decode(_, { offers: { cluster }, wanted, mirror, versions }): KarpenterPart {
    const settings = cluster.config?.type === "eks" ? cluster.config.eks.karpenter : undefined;
    if (settings === undefined) return {};
    wanted.push({ chart: "karpenter", component: "cluster.nodes", token: "Karpenter", optional: false });
    return { karpenter: { ...settings, imageValues: mirrorValues("karpenter", mirror, versions) } };
  },
  releases: ({ karpenter: settings }) => oneRelease(settings, { path: "cluster.nodes", account: KARPENTER }),
  roles: ({ cluster, karpenter: settings }) => (settings ? prefixedRole(cluster?.eks, KARPENTER.release) : []),

  async create({ cluster: given, karpenter: settings }, { charts, pods, named, parent, provided: { cluster } }) {
    if (!cluster?.nodeSource || given?.type !== "eks" || !settings) return undefined;
    const { Karpenter } = await import("./karpenter.js");
    const config = withSteadyPools(given.eks, pods);
    const args = { cluster, charts, settings, config, source: cluster.nodeSource };
    return { stateful: [new Karpenter(named("karpenter"), args, { parent })] };
  },
});
