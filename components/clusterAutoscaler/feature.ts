import { oneRelease } from "../charts/plannedRelease";
import { onMirror } from "../charts/images";
import { prefixedRole } from "../cluster/serviceAccountRole/plan";
import { rolePrefix } from "../cluster/onEks/onEks";
import { feature } from "../feature";
import { decodeAutoscaler } from "./config/decode";
import { AUTOSCALER, autoscalerSchema, type AutoscalerSettings } from "./config/schema";

export interface AutoscalerPart {
  /** Not set if not configured, disabled or skipped. */
  readonly clusterAutoscaler?: AutoscalerSettings;
}

/** The cluster-autoscaler on EKS. */
export const clusterAutoscaler = feature({
  name: "clusterAutoscaler",
  keys: { clusterAutoscaler: autoscalerSchema.optional() },
  component: {
    name: "ClusterAutoscaler",
    description: "The cluster-autoscaler of a cluster on EKS, with its IAM role.",
    places: [{ at: ["clusterAutoscaler"], omit: ["enabled", "optional"] }],
    outputs: {},
  },

  reference: [
    {
      title: "Cluster autoscaler",
      intro: "[More about the cluster autoscaler](cluster-autoscaler.md).",
      at: ["clusterAutoscaler"],
    },
  ],
  decode(read, context): AutoscalerPart {
    const settings = decodeAutoscaler(read("clusterAutoscaler"), context);
    return settings ? { clusterAutoscaler: settings } : {};
  },
  mirrored({ clusterAutoscaler: settings, images: { mirror } }) {
    if (settings === undefined) return {};
    const image = { ...settings.image, repository: onMirror(settings.image.repository, mirror) };
    return { clusterAutoscaler: { ...settings, image } };
  },
  images({ clusterAutoscaler: settings }) {
    if (settings === undefined) return [];
    const { repository, tag } = settings.image;
    return [{ component: "clusterAutoscaler", role: "autoscaler", image: `${repository}:${tag}` }];
  },
  releases: ({ clusterAutoscaler: settings }) =>
    oneRelease(settings, { path: "clusterAutoscaler", account: AUTOSCALER }),
  roles: ({ cluster, clusterAutoscaler: settings }) =>
    settings === undefined || settings.cluster.roleArn !== undefined
      ? []
      : prefixedRole(cluster?.eks, AUTOSCALER.release, "clusterAutoscaler.roleArn"),

  async create({ cluster: config, clusterAutoscaler: settings }, { charts, provided: { cluster }, named, parent }) {
    if (!cluster || !settings) return undefined;
    const { ClusterAutoscaler } = await import("./clusterAutoscaler.js");
    // The config may name a role, and the cluster may not be known to be on EKS.
    const identity = settings.cluster.roleArn === undefined ? config?.eks?.identity : undefined;
    const prefix = config?.eks && rolePrefix(config.eks);
    const args = { cluster, charts, settings, identity, rolePrefix: prefix };
    return { stateful: [new ClusterAutoscaler(named("cluster-autoscaler"), args, { parent })] };
  },
});
