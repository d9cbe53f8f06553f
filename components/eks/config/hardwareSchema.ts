import { flag, listOf, matching, oneOf } from "../../../foundation/schema/fields";

/** Schema of the fields of a node pool for its zones, image, capacity and devices. */

const some = (pattern: RegExp, item: string, what: string) =>
  listOf(matching(pattern, item), what)
    .min(1, { error: `at least one of the ${what}` })
    .optional();

export const hardwareFields = {
  zones: some(/^[a-z]{2,4}(-[a-z]+)+-\d[a-z]$/, "a zone such as eu-central-1a", "zones").describe(
    "Availability zones of the pool. Default: all of the cluster.",
  ),
  subnetIds: some(/^subnet-[0-9a-f]+$/, "the id of a subnet such as subnet-0123456789abcdef0", "subnets").describe(
    "Private subnets of the pool, in an existing VPC. Default: those of the cluster.",
  ),
  amiId: matching(/^ami-[0-9a-f]+$/, "the id of an image such as ami-0123456789abcdef0")
    .optional()
    .describe("Own image of the nodes, built from that of EKS for `os`. Default: the image of EKS."),
  fips: flag()
    .optional()
    .describe("`true`: images with FIPS modules, which exist for `bottlerocket` and EKS Auto Mode."),
  capacityReservationIds: some(
    /^cr-[0-9a-f]+$/,
    "the id of a capacity reservation such as cr-0123456789abcdef0",
    "capacity reservations",
  ).describe("Capacity reservations, or the Capacity Block, of the pool's instances."),
  placement: oneOf(["cluster", "partition", "spread"])
    .optional()
    .describe("Strategy of a placement group that is created for the pool. Default: none."),
  efa: flag()
    .optional()
    .describe("`true`: every network card of a node is an Elastic Fabric Adapter. Karpenter attaches them by itself."),
  localStorage: oneOf(["RAID0"])
    .optional()
    .describe("Local NVMe disks of a node as one, for containers, logs and `emptyDir`. Default: they are not used."),
};
