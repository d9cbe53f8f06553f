/** What of a cluster's account stays after a destroy, and what to do with it. Pure. */

import { whatToDo } from "./advice";
import { isOfCluster, ownerOf, type Owner } from "./owner";
import type { Account, Kind, Seen, Target } from "./seen";

export interface Leftover {
  readonly kind: Kind;
  readonly id: string;
  /** The object of Kubernetes that it was created for, or what AWS calls it. */
  readonly belongsTo: string;
  readonly state: string;
  /** Whether the VPC can't be deleted while it is there. */
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
/** Kinds without which a VPC has nothing in it. */
const IN_VPC: readonly Kind[] = ["load balancer", "instance", "network interface", "security group"];

/** What stays, in the order in which it can be deleted. */
export function leftovers(account: Account, target: Target): Leftover[] {
  const balancers = new Set(account.seen.flatMap(({ kind, id }) => (kind === "load balancer" ? [nameIn(id)] : [])));
  return account.seen
    .flatMap((one): Leftover[] => {
      const owner = ownerOf(one.tags);
      if (!stays(one, owner, account, target, balancers)) return [];
      const blocksVpc = one.inOwnVpc && IN_VPC.includes(one.kind);
      const { kind, id, state } = one;
      const belongsTo = owner === undefined ? (one.text ?? "") : `${owner.kind} ${owner.namespace}/${owner.name}`;
      return [{ kind, id, belongsTo, state, blocksVpc, fix: whatToDo(one, owner, account.isRunning, target.region) }];
    })
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.id < b.id ? -1 : 1));
}

function stays(
  { kind, tags, state, text = "", instance, use }: Seen,
  owner: Owner | undefined,
  { isRunning }: Account,
  { name, ownServices }: Target,
  balancers: ReadonlySet<string>,
): boolean {
  switch (kind) {
    case "load balancer":
    case "target group":
      return !(isRunning && owner?.kind === "Service" && ownServices.includes(`${owner.namespace}/${owner.name}`));
    case "instance":
      // Nodes go with their node groups, or with their NodePools.
      return !(isRunning && isOfCluster(tags, name));
    case "network interface":
      if (instance !== undefined || use === "nat_gateway") return false;
      if (text.startsWith("ELB ")) return !balancers.has(text.slice("ELB ".length));
      return !(isRunning && (text === `Amazon EKS ${name}` || isOfCluster(tags, name)));
    case "security group":
      // EKS deletes its own with the cluster, AWS the default one with the VPC.
      return text !== "default" && !(isRunning && tags["aws:eks:cluster-name"] === name);
    case "volume":
      // Disks of nodes go with them.
      return owner !== undefined || state !== "in-use" || !isRunning;
    case "snapshot":
      return true;
  }
}

/** `app/name/id` of a load balancer's ARN, or the name of a classic one: as descriptions of network interfaces have it. */
const nameIn = (arn: string): string => arn.split(":loadbalancer/").at(-1) ?? arn;
