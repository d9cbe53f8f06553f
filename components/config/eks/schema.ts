import { z } from "zod";
import { ADDON_NAMES } from "../../cluster/eks/addons";
import { instanceType } from "../../cluster/nodePool/instanceType";
import { parseCidr } from "../../cluster/network/cidr";
import { checked, count, flag, matching, oneOf, strict } from "../fields";

/** The keys of a cluster of type `eks`, as its author writes them. */

const arn = (service: string, example: string) =>
  matching(new RegExp(`^arn:aws(-cn|-us-gov)?:${service}:\\S+$`), `an ARN such as ${example}`);
const principal = arn("iam", "arn:aws:iam::123456789012:role/platform");
const kmsKey = arn("kms", "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-…");

const CIDR = "an IPv4 range such as 10.0.0.0/16, beginning at a multiple of its size";
const cidr = () => checked(CIDR, (text) => (parseCidr(text) ? undefined : ""), /^[0-9.]+\/[0-9]+$/);

const minor = () => matching(/^1\.\d{2}$/, 'a Kubernetes minor in quotes, such as "1.35"');

const TAINT = "an object with key, value, effect";
const taint = strict(TAINT, {
  key: matching(/^[\w.\/-]{1,253}$/, "a label key").describe("Key."),
  value: matching(/^[\w.-]{0,63}$/, "a label value")
    .optional()
    .describe("Value. Default: none."),
  effect: oneOf(["NoSchedule", "NoExecute", "PreferNoSchedule"]).describe(
    "What it does to pods that do not tolerate it.",
  ),
});

const nodePool = strict("an object with instanceTypes and max", {
  instanceTypes: z
    .array(
      checked(
        "an instance type of x86_64 or arm64, without accelerators other than NVIDIA GPUs, such as m7i.xlarge",
        (text) => (instanceType(text) ? undefined : ""),
        /^[a-z0-9-]+\.[a-z0-9-]+$/,
      ),
      { error: "a list of instance types" },
    )
    .min(1, { error: "at least one instance type" })
    .describe("Types of one architecture and one size, the better ones first; several make spot capacity likelier."),
  capacity: oneOf(["onDemand", "spot"]).default("onDemand").describe("How the instances are bought."),
  min: z
    .int({ error: "a whole number from 0" })
    .min(0, { error: "a whole number from 0" })
    .default(0)
    .describe("Fewest nodes."),
  max: count("a whole number of nodes from 1", 1000).describe("Most nodes."),
  desired: z
    .int({ error: "a whole number from 0" })
    .min(0, { error: "a whole number from 0" })
    .optional()
    .describe("Nodes when the pool is made; the autoscaler's business afterwards. Default: `min`."),
  diskGb: count("a whole number of GiB from 20 to 16384", 16_384)
    .default(50)
    .describe("Disk of a node in GiB (gp3, encrypted)."),
  diskKey: kmsKey.optional().describe("KMS key of the disks. Default: the account's own for EBS."),
  labels: z
    .record(matching(/^[\w.\/-]{1,317}$/, "a label key"), matching(/^[\w.-]{0,63}$/, "a label value"), {
      error: "an object of labels",
    })
    .default({})
    .describe("Labels of the nodes, besides `stackyard.dev/node-pool` and `dedicated`."),
  taints: z
    .array(taint, { error: "a list of taints" })
    .max(50, { error: "50 taints at most" })
    .default([])
    .describe("Taints of the nodes."),
  os: oneOf(["al2023", "bottlerocket"]).default("al2023").describe("System of the nodes."),
  perZone: flag()
    .default(false)
    .describe("`true`: one group in each zone, for workloads that scale where their EBS volume is."),
  version: minor().optional().describe("Kubernetes minor of the nodes. Default: the cluster's."),
  maxUnavailablePercent: count("a whole number from 1 to 100", 100)
    .default(25)
    .describe("How many nodes of a pool an update may take away at once, in percent."),
  toleratedBy: matching(/\S/, "a few words")
    .optional()
    .describe("Who schedules on a tainted pool that no component of the platform uses."),
});

const principals = (who: string) =>
  z
    .record(matching(/^[a-z0-9][a-z0-9-]{0,39}$/, "a name of a-z 0-9 -"), principal, {
      error: "an object of ARNs by name",
    })
    .default({})
    .describe(`IAM principals ${who}, by a name of yours.`);

const network = strict("an object with cidr, zones, nat, serviceCidr, reserved, existing", {
  cidr: cidr().optional().describe("Range of the VPC that is made, /16 to /24. Default: 10.0.0.0/16."),
  zones: count("2 or 3", 3)
    .min(2, { error: "2 or 3" })
    .optional()
    .describe("Number of availability zones. Default: 3."),
  nat: oneOf(["perZone", "single"])
    .optional()
    .describe("One NAT gateway in each zone, or a single one: cheaper, and down with its zone. Default: perZone."),
  serviceCidr: cidr().default("172.20.0.0/16").describe("Range of Kubernetes services; can't be changed later."),
  reserved: z
    .array(cidr(), { error: "a list of ranges" })
    .default([])
    .describe("Ranges of networks that are or will be connected; checked for overlaps."),
  existing: strict("an object with privateSubnetIds", {
    privateSubnetIds: z
      .array(matching(/^subnet-[0-9a-f]+$/, "a subnet id such as subnet-0123456789abcdef0"), {
        error: "a list of subnet ids",
      })
      .min(2, { error: "at least two subnets, in different zones" })
      .describe("Private subnets, one for each zone, with the tags that load balancers look for."),
  })
    .optional()
    .describe("A VPC that is there. Not together with cidr, zones, nat."),
});

export const eksCluster = strict("an object", {
  type: z.literal("eks").describe("A cluster on AWS EKS that this stack makes."),
  name: matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "a name of A-Z a-z 0-9 _ -, 100 characters at most").describe(
    "Name of the cluster.",
  ),
  region: matching(/^[a-z]{2}(-[a-z]+)+-\d$/, "a region such as eu-central-1").describe("AWS region."),
  version: minor().describe("Kubernetes minor. EKS raises it by one at a time."),
  network: network.prefault({}).describe("Addresses and subnets."),
  endpoint: strict("an object with private, publicCidrs", {
    private: flag().default(true).describe("Whether the API server can be reached from within the VPC."),
    publicCidrs: z
      .array(cidr(), { error: "a list of ranges" })
      .default([])
      .describe("Ranges that may reach it from outside. Default: none, no public endpoint."),
  })
    .prefault({})
    .describe("Ways to the API server."),
  access: strict("an object with admins, readers, creatorIsAdmin", {
    admins: principals("who may do everything, such as the role of CI"),
    readers: principals("who may look at everything but secrets"),
    creatorIsAdmin: flag()
      .default(true)
      .describe("Whether the identity that makes the cluster may administer it; counts when it is made."),
  })
    .prefault({})
    .describe("Who may use the cluster (EKS access entries)."),
  kmsKey: kmsKey
    .optional()
    .describe("KMS key that encrypts Kubernetes secrets; can't be taken away later. Default: one is made."),
  logRetentionDays: z
    .union(
      [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653].map((days) => z.literal(days)),
      {
        error: "a number of days that CloudWatch knows, such as 30, 90, 365",
      },
    )
    .default(90)
    .describe("Days that control plane logs are kept."),
  deletionProtection: flag()
    .default(true)
    .describe("`false` lets the cluster and its key be deleted; a stack that comes and goes wants that."),
  identity: oneOf(["irsa", "podIdentity"])
    .default("irsa")
    .describe("How pods take IAM roles: IAM roles for service accounts, or EKS Pod Identity."),
  addonVersions: z
    .partialRecord(
      oneOf(ADDON_NAMES as [string, ...string[]]),
      matching(/^v\d\S*$/, "a version such as v1.21.1-eksbuild.1"),
      { error: "an object of versions by add-on" },
    )
    .default({})
    .describe("Versions of managed add-ons. Default: the usual one for the Kubernetes version."),
  tags: z
    .record(matching(/^[\p{L}\p{Z}\p{N}_.:/=+@-]{1,128}$/u, "a tag key"), matching(/^[^\n]{0,256}$/, "a tag value"), {
      error: "an object of tags",
    })
    .default({})
    .describe("Tags of everything that is made on AWS."),
  nodePools: z
    .record(matching(/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/, "a name of a-z 0-9 -, 20 characters at most"), nodePool, {
      error: "an object of node pools by name",
    })
    .describe("Nodes, by kind."),
});

export type EksInput = z.output<typeof eksCluster>;
export type NodePoolInput = EksInput["nodePools"][string];
