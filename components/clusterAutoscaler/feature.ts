import { oneRelease } from "../charts/plannedRelease";
import { splitImage } from "../../foundation/registry/image";
import { chartImages, placed, placedValues } from "../charts/images";
import { prefixedRole } from "../cluster/serviceAccountRole/plan";
import { rolePrefix } from "../cluster/onEks/onEks";
import { feature } from "../feature";
import { decodeAutoscaler } from "./config/decode";
import { AUTOSCALER, autoscalerSchema, type AutoscalerSettings } from "./config/schema";

export interface AutoscalerPart {
  /** Not set if not configured, disabled or skipped. */
  readonly clusterAutoscaler?: AutoscalerSettings;
}

const imageOf = ({ image: { repository, tag } }: AutoscalerSettings): string => `${repository}:${tag}`;

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
  mirrored({ clusterAutoscaler: settings, images }) {
    if (settings === undefined) return {};
    const [repository, tag] = splitImage(placed(imageOf(settings), images));
    const values = placedValues(settings.values, images);
    return { clusterAutoscaler: { ...settings, image: { repository, tag }, values } };
  },
  images({ clusterAutoscaler: settings, images, charts }) {
    if (settings === undefined) return [];
    const own = { component: "clusterAutoscaler", role: "autoscaler", image: imageOf(settings) };
    const all = chartImages(own.component, "cluster-autoscaler", { images, charts }, settings.values);
    return [own, ...all.filter(({ role }) => role !== own.role)];
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
