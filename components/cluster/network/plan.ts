/** How the addresses of a VPC are shared out. Pure. */

import { cidrText, parseCidr, partOf } from "../../../foundation/net/cidr";

export interface PlannedSubnet {
  /** `private-0`: unique suffix of resource names; counts zones, so that a further zone moves nothing. */
  readonly key: string;
  readonly kind: "private" | "public";
  /** Position of its availability zone. */
  readonly zone: number;
  readonly cidr: string;
}

/** So many zones at most: the fourth quarter of the addresses is for the public subnets. */
export const MOST_ZONES = 3;

/**
 * A quarter of the range for the private subnet of each zone, where pods live, and a sixteenth for each public one,
 * where only load balancers and NAT gateways do.
 */
export function planSubnets(cidr: string, zones: number): PlannedSubnet[] {
  const range = parseCidr(cidr);
  if (!range) throw new Error(`${cidr} is not a CIDR range`);
  const numbers = Array.from({ length: zones }, (_, zone) => zone);
  const rest = partOf(range, 2, MOST_ZONES);
  const subnet = (kind: PlannedSubnet["kind"], zone: number, part: typeof range): PlannedSubnet => ({
    key: `${kind}-${zone}`,
    kind,
    zone,
    cidr: cidrText(part),
  });
  return [
    ...numbers.map((zone) => subnet("private", zone, partOf(range, 2, zone))),
    ...numbers.map((zone) => subnet("public", zone, partOf(rest, 2, zone))),
  ];
}

/** Tags that load balancers and the cluster look for. */
export function subnetTags(kind: PlannedSubnet["kind"], cluster: string): Record<string, string> {
  const role = kind === "private" ? "kubernetes.io/role/internal-elb" : "kubernetes.io/role/elb";
  return { [role]: "1", [`kubernetes.io/cluster/${cluster}`]: "shared" };
}
