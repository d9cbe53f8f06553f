/** Finds the resources of a cluster that remain after a destroy, with advice. Pure. */

import { adviceFor } from "./advice";
import { isOfCluster, ownerOf, type OwningObject } from "./owner";
import type { Account, Kind, Seen, SearchedCluster } from "./seen";

export interface Leftover {
  readonly kind: Kind;
  readonly id: string;
  /** The Kubernetes object that it was created for, or its name on AWS. */
  readonly belongsTo: string;
  readonly state: string;
  /** Whether it blocks the deletion of the VPC. */
  readonly blocksVpc: boolean;
  readonly fix: string;
}

const ORDER: readonly Kind[] = [
  "load balancer",
  "instance",
  "network interface",
  "security group",
  "target group",
  "volume",
  "snapshot",
];
/** A VPC without these is empty. */
const IN_VPC: readonly Kind[] = ["load balancer", "instance", "network interface", "security group"];

/** Returns what remains, in the order in which it can be deleted. */
export function leftovers(account: Account, target: SearchedCluster): Leftover[] {
  const balancers = new Set(account.seen.flatMap(({ kind, id }) => (kind === "load balancer" ? [nameIn(id)] : [])));
  return account.seen
    .flatMap((one): Leftover[] => {
      const owner = ownerOf(one.tags);
      if (!stays(one, owner, account, target, balancers)) return [];
      const blocksVpc = one.inOwnVpc && IN_VPC.includes(one.kind);
      const { kind, id, state } = one;
      const belongsTo = owner === undefined ? (one.text ?? "") : `${owner.kind} ${owner.namespace}/${owner.name}`;
      return [{ kind, id, belongsTo, state, blocksVpc, fix: adviceFor(one, owner, account.isRunning, target.region) }];
    })
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.id < b.id ? -1 : 1));
}

function stays(
  { kind, tags, state, text = "", instance, use }: Seen,
  owner: OwningObject | undefined,
  { isRunning }: Account,
  { name, ownServices }: SearchedCluster,
  balancers: ReadonlySet<string>,
): boolean {
  switch (kind) {
    case "load balancer":
    case "target group":
      return !(isRunning && owner?.kind === "Service" && ownServices.includes(`${owner.namespace}/${owner.name}`));
    case "instance":
      // Nodes are deleted with their node groups or NodePools.
      return !(isRunning && isOfCluster(tags, name));
    case "network interface":
      if (instance !== undefined || use === "nat_gateway") return false;
      if (text.startsWith("ELB ")) return !balancers.has(text.slice("ELB ".length));
      return !(isRunning && (text === `Amazon EKS ${name}` || isOfCluster(tags, name)));
    case "security group":
      // EKS deletes its own security groups with the cluster, AWS the default one with the VPC.
      return text !== "default" && !(isRunning && tags["aws:eks:cluster-name"] === name);
    case "volume":
      // Disks of nodes are deleted with them.
      return owner !== undefined || state !== "in-use" || !isRunning;
    case "snapshot":
      return true;
  }
}

/**
 * Returns `app/name/id` of a load balancer's ARN, or the name of a classic one, as in descriptions of network
 * interfaces.
 */
const nameIn = (arn: string): string => arn.split(":loadbalancer/").at(-1) ?? arn;
