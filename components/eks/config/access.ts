/** Checks who has access to an EKS cluster, and from which addresses. */

import { nodeRole } from "../../cluster/onEks/onEks";
import { partitionOf } from "../../cluster/onEks/regions";
import { overlap, parseCidr } from "../../../foundation/net/cidr";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
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

/** EKS has one access entry per principal, and supports only roles and users. */
export function accessFaults(cluster: EksInput, base: Path): Fault[] {
  const { access } = cluster;
  const owners = new Map<string, string>();
  const twice = (["admins", "readers"] as const).flatMap((kind) =>
    Object.entries(access[kind]).flatMap(([name, arn]) => {
      const owner = owners.get(arn);
      owners.set(arn, `${kind}.${name}`);
      const expected = owner === undefined ? expectedPrincipal(arn, cluster) : `each principal once; it is ${owner}`;
      return expected === undefined ? [] : [mismatch([...base, kind, name], `"${arn}"`, expected)];
    }),
  );
  if (access.creatorIsAdmin || Object.keys(access.admins).length > 0) return twice;
  const expected = "at least one principal, among them the one that runs pulumi up; or creatorIsAdmin: true";
  return [...twice, mismatch([...base, "admins"], "no principal", expected)];
}

/** The expected value for a principal that EKS rejects; undefined for another one. */
function expectedPrincipal(arn: string, cluster: EksInput): string | undefined {
  const partition = partitionOf(cluster.region);
  if (!arn.startsWith(`arn:${partition}:`)) return `a principal of arn:${partition}, as ${cluster.region} is in it`;
  return arn.endsWith(`:role/${nodeRole(cluster)}`)
    ? "another principal: EKS makes the entry of the role of the nodes"
    : undefined;
}

export function endpointFaults({ endpoint, network }: EksInput, base: Path): Fault[] {
  const { publicCidrs } = endpoint;
  const faults: Fault[] = [];
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
