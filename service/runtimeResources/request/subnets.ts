import { cidrText, parseCidr, partOf, type Range } from "../../../foundation/net/cidr";

/**
 * Ranges of zones in that of the nodes, because a Runtime names only the latter. They are those of the Kyma
 * Infrastructure Manager, so that its clusters can be taken over. Pure.
 */

export const NODES_EXPECTED = "a range from /16 to /24, such as 10.250.0.0/16, because each zone gets a part of it";

/** Undefined if the range is not large enough for parts, or too large. */
export function nodesRange(text: string): Range | undefined {
  const range = parseCidr(text);
  return range && range.bits >= 16 && range.bits <= 24 ? range : undefined;
}

/** The first three zones, of the pool that every cluster has, get most of the addresses. */
const LARGE = 3;
export const MOST_ZONES = 8;

export interface AwsZone {
  readonly name: string;
  readonly workerCidr: string;
  readonly publicCidr: string;
  readonly internalCidr: string;
}

export const awsZones = (nodes: Range, names: readonly string[]): AwsZone[] =>
  names.map((name, index) => {
    const [worker, open, internal] = index < LARGE ? largeParts(nodes, index) : smallParts(nodes, index - LARGE);
    return { name, workerCidr: cidrText(worker), publicCidr: cidrText(open), internalCidr: cidrText(internal) };
  });

type Parts = readonly [worker: Range, open: Range, internal: Range];

/** A quarter of the nodes: half of it for nodes, a quarter of it for each kind of load balancer. */
function largeParts(nodes: Range, index: number): Parts {
  const own = partOf(nodes, 2, index);
  return [partOf(own, 1, 0), partOf(own, 2, 2), partOf(own, 2, 3)];
}

/** The last quarter has sixteen parts, three for each zone. */
function smallParts(nodes: Range, index: number): Parts {
  const own = partOf(nodes, 2, LARGE);
  return [partOf(own, 4, index * 3), partOf(own, 4, index * 3 + 1), partOf(own, 4, index * 3 + 2)];
}

export const azureZones = (nodes: Range, names: readonly string[]): { name: number; cidr: string }[] =>
  names.map((name, index) => ({ name: Number(name), cidr: cidrText(partOf(nodes, 3, index)) }));
