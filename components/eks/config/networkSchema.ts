import * as z from "zod";
import { parseCidr } from "../../../foundation/net/cidr";
import { checkedText, count, flag, matching, oneOf, strict } from "../../../foundation/schema/fields";
import { ec2Id } from "../../cluster/onEks/fields";

/** Schema of the addresses of a cluster: its network, and the endpoints of the API server. */

const CIDR = "an IPv4 range such as 10.0.0.0/16, beginning at a multiple of its size";
const cidr = () => checkedText(CIDR, (text) => (parseCidr(text) ? undefined : ""), /^[0-9.]+\/[0-9]+$/);

/** Range of a new VPC. */
export const DEFAULT_CIDR = "10.0.0.0/16";

const securityGroups = () =>
  z.array(ec2Id("sg", "a security group"), {
    error: "a list of security groups",
  });

const route = strict("an object with cidr, and transitGatewayId or peeringConnectionId", {
  cidr: cidr().describe("CIDR range of the other network."),
  transitGatewayId: ec2Id("tgw", "a transit gateway")
    .optional()
    .describe("Transit gateway, to which the VPC is attached."),
  peeringConnectionId: ec2Id("pcx", "a peering connection")
    .optional()
    .describe("Peering connection of the VPC, once it is accepted."),
});

export const network = strict("an object with cidr, zones, nat, serviceCidr, reserved, routes, existing", {
  cidr: cidr().optional().describe("CIDR range of the new VPC, /16 to /22. Default: 10.0.0.0/16."),
  zones: count("2 or 3", 3)
    .min(2, { error: "2 or 3" })
    .optional()
    .describe("Number of availability zones. It can't be changed later. Default: 3."),
  nat: oneOf(["perZone", "single"])
    .optional()
    .describe(
      "One NAT gateway in each zone, or a single one, which is cheaper but fails with its zone. Default: perZone.",
    ),
  serviceCidr: cidr()
    .default("172.20.0.0/16")
    .describe("CIDR range of Kubernetes services. It can't be changed later."),
  reserved: z
    .array(cidr(), { error: "a list of ranges" })
    .default([])
    .describe("CIDR ranges of networks that are or will be connected. The platform checks them for overlaps."),
  routes: z
    .record(matching(/^[a-z0-9][a-z0-9-]{0,39}$/, "a name of a-z 0-9 -"), route, {
      error: "an object of routes by name",
    })
    .default({})
    .describe(
      "Routes from the private subnets of the new VPC to connected networks, each under a name that you choose.",
    ),
  existing: strict("an object with privateSubnetIds, publicSubnetIds", {
    privateSubnetIds: z
      .array(ec2Id("subnet", "a subnet"), {
        error: "a list of subnet ids",
      })
      .min(2, { error: "at least two subnets, in different zones" })
      .describe("Private subnets, one for each zone. They must have the tags that load balancers require."),
    publicSubnetIds: z
      .array(ec2Id("subnet", "a subnet"), {
        error: "a list of subnet ids",
      })
      .default([])
      .describe(
        "Public subnets for load balancers. The platform adds the tags that load balancers require; the one for the role of a subnet stays when the cluster is deleted.",
      ),
  })
    .optional()
    .describe("An existing VPC. Not together with cidr, zones, nat, routes."),
})
  .prefault({})
  .describe("Addresses and subnets of the VPC.");

export const endpoint = strict(
  "an object with private, publicCidrs, privateCidrs, privateSecurityGroupIds, securityGroupIds",
  {
    private: flag().default(true).describe("`true`: the API server has an endpoint inside the VPC."),
    publicCidrs: z
      .array(cidr(), { error: "a list of ranges" })
      .default([])
      .describe(
        "CIDR ranges that may reach the API server from outside. Default: none, which means no public endpoint.",
      ),
    privateCidrs: z
      .array(cidr(), { error: "a list of ranges" })
      .default([])
      .describe("CIDR ranges of connected networks that may reach the private endpoint, such as an office with a VPN."),
    privateSecurityGroupIds: securityGroups()
      .default([])
      .describe("Security groups whose members may reach the private endpoint, such as the one of CI runners."),
    securityGroupIds: securityGroups()
      .max(4, { error: "4 security groups at most, since EKS adds its own" })
      .default([])
      .describe("Additional security groups of the control plane's network interfaces."),
  },
)
  .prefault({})
  .describe("Endpoints of the API server.");
