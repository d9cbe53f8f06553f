/** Splits the address range of a VPC into subnets. Pure. */

import { cidrText, parseCidr, partOf } from "../../../foundation/net/cidr";

export interface PlannedSubnet {
  /** Unique suffix of resource names: `private-0`. Numbered by zone, so that adding a zone changes no other subnet. */
  readonly key: string;
  readonly kind: "private" | "public";
  /** Index of its availability zone. */
  readonly zone: number;
  readonly cidr: string;
}

/** The fourth quarter of the range is for the public subnets. */
const MOST_ZONES = 3;

/**
 * Each zone gets a quarter of the range for its private subnet, where pods run, and a sixteenth for its public one,
 * which has only load balancers and NAT gateways.
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

/**
 * Ids of zones where EKS supports no control plane. Source: the Amazon EKS user guide, "Subnet requirements for
 * clusters".
 */
export const WITHOUT_CONTROL_PLANES = ["use1-az3", "usw1-az2", "cac1-az3"];

/** Tags that load balancers and the cluster look for. */
export function subnetTags(kind: PlannedSubnet["kind"], cluster: string): Record<string, string> {
  const role = kind === "private" ? "kubernetes.io/role/internal-elb" : "kubernetes.io/role/elb";
  return { [role]: "1", [`kubernetes.io/cluster/${cluster}`]: "shared" };
}

/** The zones of a VPC. Local zones, and zones that require an opt-in, can't host a control plane. */
export const ZONES_QUERY = {
  state: "available",
  filters: [{ name: "opt-in-status", values: ["opt-in-not-required"] }],
  excludeZoneIds: [...WITHOUT_CONTROL_PLANES],
};
