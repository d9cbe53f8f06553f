import { valueAt } from "../../foundation/schema/describe";
import { chartImages, imageValues, placedValues } from "../charts/images";
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

  decode(_, { offers: { cluster }, wanted, images, versions }): KarpenterPart {
    const settings = cluster.config?.type === "eks" ? cluster.config.eks.karpenter : undefined;
    if (settings === undefined) return {};
    wanted.push({ chart: "karpenter", component: "cluster.nodes", token: "Karpenter", optional: false });
    const values = placedValues(settings.values, images);
    return { karpenter: { ...settings, values, imageValues: imageValues("karpenter", images, versions) } };
  },
  images: ({ karpenter: settings, images, charts }) =>
    settings ? chartImages("cluster.nodes", "karpenter", { images, charts }, settings.values) : [],
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
