import * as z from "zod";
import { instanceType } from "../../cluster/nodePool/instanceType";
import {
  checkedText,
  count,
  duration,
  flag,
  matching,
  oneOf,
  positive,
  strict,
} from "../../../foundation/schema/fields";
import { ec2Id, kmsKey, minor } from "../../cluster/onEks/fields";
import { hardwareFields } from "./hardwareSchema";
import { isLabelKey, isLabelValue, LABEL_KEY, LABEL_VALUE } from "./labels";
import { parseTaint, TAINT_TEXT } from "../../cluster/nodePool/taint";

/** Schema of a node pool. */

const EFFECTS = ["NoSchedule", "NoExecute", "PreferNoSchedule"] as const;
const TAINT = "an object with key, value, effect, or a text such as dedicated=ray:NoSchedule";

const labelKey = () => checkedText(LABEL_KEY, (text) => (isLabelKey(text) ? undefined : ""), /^[\w.\/-]{1,317}$/);
const labelValue = () => checkedText(LABEL_VALUE, (text) => (isLabelValue(text) ? undefined : ""), /^[\w.-]{0,63}$/);

const taint = z
  .preprocess(
    parseTaint,
    strict(TAINT, {
      key: labelKey().describe("Key."),
      value: labelValue().optional().describe("Value. Default: none."),
      effect: oneOf(EFFECTS).describe("Effect on pods that do not tolerate the taint."),
    }),
  )
  .meta({ orText: TAINT_TEXT.source });

const share = () => positive("a number above 0, up to 1", 1);

const scaleDown = strict("an object with utilizationThreshold, gpuUtilizationThreshold, unneededFor, unreadyFor", {
  utilizationThreshold: share()
    .optional()
    .describe("A node counts as unneeded if its pods request less than this share of it."),
  gpuUtilizationThreshold: share().optional().describe("The same for the GPUs of a node with GPUs."),
  unneededFor: duration().optional().describe("How long a node must be unneeded before it is removed."),
  unreadyFor: duration().optional().describe("How long a node must be unready before it is removed."),
});

export const nodePool = strict("an object with instanceTypes and max", {
  instanceTypes: z
    .array(
      checkedText(
        "an instance type of x86_64 or arm64, without accelerators other than NVIDIA GPUs and AWS Neuron, such as m7i.xlarge",
        (text) => (instanceType(text) ? undefined : ""),
        /^[a-z0-9-]+\.[a-z0-9-]+$/,
      ),
      { error: "a list of instance types" },
    )
    .min(1, { error: "at least one instance type" })
    .max(20, { error: "20 instance types at most" })
    .describe(
      "Instance types of the same architecture and size, the preferred ones first. Several types make spot capacity more likely.",
    ),
  capacity: oneOf(["onDemand", "spot", "capacityBlock"])
    .default("onDemand")
    .describe("Purchase option of the instances. `capacityBlock`: a Capacity Block for ML that you bought."),
  min: z
    .int({ error: "a whole number from 0" })
    .min(0, { error: "a whole number from 0" })
    .default(0)
    .describe("Minimum number of nodes."),
  max: count("a whole number of nodes from 1", 1000).describe("Maximum number of nodes."),
  desired: z
    .int({ error: "a whole number from 0" })
    .min(0, { error: "a whole number from 0" })
    .optional()
    .describe("Initial number of nodes. Later the autoscaler changes it. Default: `min`."),
  diskGb: count("a whole number of GiB from 20 to 16384, since the image has 20", 16_384, 20)
    .default(50)
    .describe("Size of a node's disk in GiB (gp3, encrypted)."),
  diskKey: kmsKey
    .optional()
    .describe(
      "KMS key of the disks, which the platform grants to what launches the nodes. Default: the account's default key for EBS.",
    ),
  labels: z
    .record(labelKey(), labelValue(), { error: "an object of labels" })
    .default({})
    .describe("Labels of the nodes, in addition to `stackyard.dev/node-pool` and `dedicated`."),
  taints: z
    .array(taint, { error: "a list of taints" })
    .max(50, { error: "50 taints at most" })
    .default([])
    .describe("Taints of the nodes."),
  os: oneOf(["al2023", "bottlerocket"]).default("al2023").describe("Operating system of the nodes."),
  ...hardwareFields,
  perZone: flag()
    .default(false)
    .describe("`true`: one node group of `min` to `max` nodes in each zone. Use it for workloads with EBS volumes."),
  version: minor().optional().describe("Kubernetes minor version of the nodes. Default: the cluster's."),
  ami: oneOf(["latest", "pinned"])
    .optional()
    .describe(
      "Release of the node image. `latest`: the newest at each update; `pinned`: the one in the lock file. Default: `ami` of the cluster.",
    ),
  maxUnavailablePercent: count("a whole number from 1 to 100", 100)
    .default(25)
    .describe("Maximum share of a pool's nodes that may be unavailable during an update, in percent."),
  forceUpdate: flag()
    .default(false)
    .describe("`true`: an update replaces a node even if a PodDisruptionBudget prevents the eviction of its pods."),
  securityGroupIds: z
    .array(ec2Id("sg", "a security group"), {
      error: "a list of security groups",
    })
    .max(4, { error: "4 security groups at most, since EKS adds its own" })
    .default([])
    .describe("Additional security groups of the nodes."),
  userData: matching(/^[^\n{}]*[^\s{}]$/, "the path of a file")
    .optional()
    .describe(
      "File with user data of the nodes, relative to the project folder: a script, a NodeConfig or MIME parts for `al2023`; TOML settings for `bottlerocket`.",
    ),
  scaleDown: scaleDown
    .default({})
    .describe("When to remove nodes of this pool. Default of each field: the setting of `clusterAutoscaler`."),
  toleratedBy: matching(/\S/, "a few words")
    .optional()
    .describe(
      "What runs on this pool, in a few words. Required for a pool with taints that no component of the platform tolerates.",
    ),
});

export type NodePoolInput = z.output<typeof nodePool>;
