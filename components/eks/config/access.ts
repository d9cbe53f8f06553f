/** Checks who has access to an EKS cluster, and from which addresses. */

import { distance } from "fastest-levenshtein";
import { isAdmin, plannedEntries, policyName } from "../accessEntries";
import { expectedPrincipal } from "../../cluster/onEks/accessEntry";
import { partitionOf } from "../../cluster/onEks/regions";
import { isWithin, overlap, parseCidr } from "../../../foundation/net/cidr";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { DEFAULT_CIDR } from "./networkSchema";
import type { EksInput } from "./schema";

/** Maximum number of CIDR ranges for a public endpoint. */
const MOST_RANGES = 40;
/** Ranges that are not public, so EKS rejects them. */
const NOT_PUBLIC = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "224.0.0.0/3",
];

/** EKS has one access entry per principal, and one association of each of its policies. */
export function accessFaults(cluster: EksInput, base: Path): Fault[] {
  const { access } = cluster;
  const planned = plannedEntries(access);
  const twice = planned.flatMap(({ path, principal }, index) => {
    const owner = planned.slice(0, index).find((other) => other.principal === principal);
    const expected = owner
      ? `each principal once; it is ${owner.path.join(".")}`
      : expectedPrincipal(principal, cluster);
    return expected === undefined ? [] : [mismatch([...base, ...path], `"${principal}"`, expected)];
  });
  const faults = [...twice, ...entryFaults(cluster, [...base, "entries"])];
  if (access.creatorIsAdmin || planned.some(isAdmin)) return faults;
  const expected = "at least one principal, among them the one that runs pulumi up; or creatorIsAdmin: true";
  return [...faults, mismatch([...base, "admins"], "no principal", expected)];
}

function entryFaults({ access, region }: EksInput, base: Path): Fault[] {
  const partition = partitionOf(region);
  return Object.entries(access.entries).flatMap(([name, { groups, policies }]) => {
    const at = [...base, name];
    if (groups.length + policies.length === 0)
      return [mismatch(at, "an entry that grants nothing", "groups or policies")];
    const ofGroups = groups.flatMap((group, index) =>
      groups.indexOf(group) < index ? [mismatch([...at, "groups", index], `"${group}"`, "each group once")] : [],
    );
    const names = policies.map(({ policy }) => policyName(policy));
    const ofPolicies = policies.flatMap(({ policy, namespaces = [] }, index) => {
      const path = [...at, "policies", index];
      const again = namespaces.flatMap((each, place) =>
        namespaces.indexOf(each) < place
          ? [mismatch([...path, "namespaces", place], `"${each}"`, "each namespace once")]
          : [],
      );
      const expected = policyExpected(policy, names.indexOf(policyName(policy)) < index, partition);
      return expected === undefined ? again : [...again, mismatch([...path, "policy"], `"${policy}"`, expected)];
    });
    return [...ofGroups, ...ofPolicies];
  });
}

/** The expected value for a policy that EKS does not associate; undefined for another one. */
function policyExpected(policy: string, isSecond: boolean, partition: string): string | undefined {
  if (isSecond) return "each policy once, with all of its namespaces: EKS has one scope for a policy of a principal";
  if (policy.includes(":") && !policy.startsWith(`arn:${partition}:`))
    return `a policy of arn:${partition}, or its name`;
  const name = policyName(policy);
  const meant = POLICIES.includes(name) ? undefined : POLICIES.find((known) => distance(known, name) <= TYPO);
  return meant === undefined ? undefined : `an access policy of EKS; did you mean ${meant}`;
}

/** EKS adds policies, so another name is an error only if it looks like one of these. Source: the EKS user guide. */
const POLICIES = ["ClusterAdmin", "Admin", "AdminView", "Edit", "View", "SecretReader"].map(
  (name) => `AmazonEKS${name}Policy`,
);
const TYPO = 2;

/** Faults of what may reach the private endpoint, and of the security groups of the control plane. */
function privateFaults({ endpoint }: EksInput, base: Path): Fault[] {
  const { privateCidrs, privateSecurityGroupIds, securityGroupIds } = endpoint;
  return Object.entries({ privateCidrs, privateSecurityGroupIds, securityGroupIds }).flatMap(([key, values]) =>
    values.flatMap((value, index) => {
      const at = [...base, key, index];
      if (values.indexOf(value) < index) return [mismatch(at, `"${value}"`, "each once")];
      if (key === "securityGroupIds") return [];
      if (!endpoint.private) return [mismatch(at, `"${value}"`, "nothing, because private is false")];
      return parseCidr(value)?.bits === 0 ? [mismatch(at, `"${value}"`, "ranges of your own networks")] : [];
    }),
  );
}

export function endpointFaults(cluster: EksInput, base: Path): Fault[] {
  const { endpoint, network } = cluster;
  const { publicCidrs } = endpoint;
  const faults = privateFaults(cluster, base);
  if (!endpoint.private && publicCidrs.length === 0) {
    const expected = "a way to the API server: true, or ranges in publicCidrs";
    faults.push(mismatch([...base, "private"], "false, and no publicCidrs", expected));
  } else if (!endpoint.private && !network.existing) {
    // `publicCidrs` can't contain the addresses of NAT gateways that don't exist yet.
    faults.push(mismatch([...base, "private"], "false", "true, because nodes join through the private endpoint"));
  }
  if (publicCidrs.length > MOST_RANGES)
    faults.push(mismatch([...base, "publicCidrs"], `${publicCidrs.length} ranges`, `at most ${MOST_RANGES}`));
  publicCidrs.forEach((cidr, index) => {
    const at = [...base, "publicCidrs", index];
    const expected = publicCidrs.indexOf(cidr) < index ? "each range once" : expectedOf(cidr);
    if (expected !== undefined) faults.push(mismatch(at, `"${cidr}"`, expected));
  });
  return faults;
}

/** The expected value for an invalid range; undefined for a valid one. */
function expectedOf(cidr: string): string | undefined {
  const range = parseCidr(cidr);
  if (!range) return undefined;
  if (range.bits === 0) return "ranges of your own, since that is the whole internet";
  const reserved = NOT_PUBLIC.find((other) => overlap(range, parseCidr(other)!));
  return reserved === undefined ? undefined : `public addresses; ${reserved} is not routed on the internet`;
}

/**
 * Faults of routes to connected networks. EC2 has one route for a range, and none for a part of the VPC; a larger range,
 * which contains the VPC or the addresses of services, is a route for the rest of it.
 */
export function routeFaults({ network }: EksInput, base: Path): Fault[] {
  const vpc = parseCidr(network.cidr ?? DEFAULT_CIDR);
  const service = parseCidr(network.serviceCidr);
  const routes = Object.entries(network.routes);
  return routes.flatMap(([name, { cidr, transitGatewayId, peeringConnectionId }], index) => {
    if (network.existing) return [mismatch([...base, name], "a route", "nothing, because the VPC exists already")];
    const range = parseCidr(cidr);
    const expected =
      range?.bits === 0
        ? "the range of a network: the NAT gateways have the default route"
        : range && vpc && isWithin(range, vpc)
          ? "a range outside of the VPC"
          : range && service && isWithin(range, service)
            ? `a range outside of ${network.serviceCidr}, the serviceCidr, whose addresses never leave a node`
            : routes.slice(0, index).some(([, other]) => other.cidr === cidr)
              ? "each range once"
              : undefined;
    const targets = [transitGatewayId, peeringConnectionId].filter((id) => id !== undefined).length;
    return [
      ...(expected === undefined ? [] : [mismatch([...base, name, "cidr"], `"${cidr}"`, expected)]),
      ...(targets === 1
        ? []
        : [mismatch([...base, name], `${targets} targets`, "transitGatewayId or peeringConnectionId")]),
    ];
  });
}
