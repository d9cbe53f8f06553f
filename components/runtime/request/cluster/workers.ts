import * as z from "zod";
import { matching, oneOf, strict, listOf } from "../../../../foundation/schema/fields";
import { named, nodes, upTo, zoneNames } from "./fields";

/** Schema of a cluster's nodes: the fields of its first pool, and additional pools. */

/** Name of the pool that every cluster has. */
export const FIRST_POOL = "cpu-worker-0";

export const nodeShape = {
  machineType: named("the type of a machine")
    .optional()
    .describe("Machine type of the nodes, such as `n2-standard-4`."),
  machineImage: named("the name of an image").optional().describe("Machine image of the nodes. Default: Gardener's."),
  machineImageVersion: named("the version of an image")
    .optional()
    .describe("Version of that image. Default: the newest in Gardener."),
  diskType: named("the type of a disk")
    .optional()
    .describe("Type of the nodes' disk, such as `pd-ssd`. Required with gcp, azure and aws; not with openstack."),
  volumeSizeGB: upTo(65_536)
    .optional()
    .describe("Size of the nodes' disk in GiB. Required with gcp, azure and aws. Default: that of the machine type."),
  autoScalerMin: nodes().optional().describe("Minimum number of nodes."),
  autoScalerMax: nodes().optional().describe("Maximum number of nodes."),
  maxSurge: nodes().optional().describe("Number of additional nodes during a rolling update."),
  maxUnavailable: nodes().optional().describe("Number of nodes that may be unavailable during a rolling update."),
};

const LABELS = "an object of texts";
const labels = () => z.record(z.string(), z.string({ error: "a text" }), { error: LABELS }).optional();

const taint = strict("an object with key, value, effect", {
  key: matching(/\S/, "the key of a taint").describe("Key."),
  value: z.string({ error: "a text" }).optional().describe("Value."),
  effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]).describe(
    "Effect on pods that do not tolerate the taint.",
  ),
});

export const workerPool = strict("an object with name and fields of nodes", {
  name: matching(
    /^[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/,
    "a legal name: a-z, 0-9 and inner -, 15 characters at most",
  ).describe("Name of the pool, unique in the cluster."),
  ...nodeShape,
  zones: zoneNames().optional().describe("Zones of its nodes. Default: all zones of the cluster."),
  labels: labels().describe("Labels of its nodes."),
  annotations: labels().describe("Annotations of its nodes."),
  taints: listOf(taint, "taints").optional().describe("Taints of its nodes."),
});

export type WorkerPool = z.output<typeof workerPool>;
export type NodeFields = { readonly [Key in keyof typeof nodeShape]?: z.output<(typeof nodeShape)[Key]> };
