import type * as z from "zod";
import { ec2Id } from "../../cluster/onEks/fields";
import { flag, listOf, matching, oneOf } from "../../../foundation/schema/fields";

/** Schema of the fields of a node pool for its zones, image, capacity and devices. */

const some = (item: z.ZodType<string>, what: string) =>
  listOf(item, what)
    .min(1, { error: `at least one of the ${what}` })
    .optional();

export const hardwareFields = {
  zones: some(matching(/^[a-z]{2,4}(-[a-z]+)+-\d[a-z]$/, "a zone such as eu-central-1a"), "zones").describe(
    "Availability zones of the pool. Default: all of the cluster.",
  ),
  subnetIds: some(ec2Id("subnet", "a subnet"), "subnets").describe(
    "Private subnets of the pool, in an existing VPC. Default: those of the cluster.",
  ),
  amiId: ec2Id("ami", "an image")
    .optional()
    .describe("Own image of the nodes, built from that of EKS for `os`. Default: the image of EKS."),
  fips: flag()
    .optional()
    .describe("`true`: images with FIPS modules, which exist for `bottlerocket` and EKS Auto Mode."),
  capacityReservationIds: some(ec2Id("cr", "a capacity reservation"), "capacity reservations").describe(
    "Capacity reservations, or the Capacity Block, of the pool's instances.",
  ),
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
