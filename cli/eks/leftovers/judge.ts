/** Finds the resources of a cluster that remain after a destroy, with advice. Pure. */

import { isOfCluster, ownerOf, type OwningObject } from "./owner";
import type { Account, Kind, Seen, SearchedCluster } from "./seen";

// Advice about resources that remain after a destroy. Pure.

/** Returns the command of the AWS CLI that deletes the resource. */
function deletion({ kind, id }: Pick<Seen, "kind" | "id">, region: string): string {
  const aws = (text: string): string => `aws ${text} --region ${region}`;
  const commands: Record<Kind, () => string> = {
    "load balancer": () =>
      /:loadbalancer\/(app|net|gwy)\//.test(id)
        ? aws(`elbv2 delete-load-balancer --load-balancer-arn ${id}`)
        : aws(`elb delete-load-balancer --load-balancer-name ${id.split("/").at(-1) ?? id}`),
    instance: () => aws(`ec2 terminate-instances --instance-ids ${id}`),
    "network interface": () => aws(`ec2 delete-network-interface --network-interface-id ${id}`),
    "security group": () => aws(`ec2 delete-security-group --group-id ${id}`),
    "target group": () => aws(`elbv2 delete-target-group --target-group-arn ${id}`),
    volume: () => aws(`ec2 delete-volume --volume-id ${id}`),
    snapshot: () => aws(`ec2 delete-snapshot --snapshot-id ${id}`),
  };
  return commands[kind]();
}

const OBJECTS = { claim: "persistentvolumeclaim", Service: "service", Ingress: "ingress" } as const;

/** While the cluster runs, its controllers delete what they created; otherwise only AWS can. */
function adviceFor(one: Seen, owner: OwningObject | undefined, isRunning: boolean, region: string): string {
  const { kind, text = "", state } = one;
  const remove = deletion(one, region);
  if (kind === "snapshot") return `keep it, or delete it: ${remove}`;
  if (kind === "network interface") {
    if (text.startsWith("ELB "))
      return `delete the load balancer ${text.slice("ELB ".length)}, which is not the cluster's`;
    if (state === "available") return `delete it: ${remove}`;
    return `delete what uses it${text === "" ? "" : ` (${text})`}; after nodes or load balancers are gone, wait for ten minutes`;
  }
  if (isRunning && owner !== undefined) {
    const object = `kubectl -n ${owner.namespace} delete ${OBJECTS[owner.kind]} ${owner.name}`;
    return kind === "volume"
      ? `back it up; it stays unless its claim is deleted before the cluster: ${object}`
      : `delete the ${owner.kind} before the cluster: ${object}`;
  }
  if (kind === "volume") {
    const snapshot = `aws ec2 create-snapshot --volume-id ${one.id} --region ${region}`;
    return `keep it, or take a snapshot (${snapshot}) and delete it: ${remove}`;
  }
  if (isRunning && (kind === "load balancer" || kind === "target group")) {
    return `delete its Ingresses and Services before the cluster; if there are none: ${remove}`;
  }
  if (kind === "security group") return `delete it when nothing uses it: ${remove}`;
  return `delete it: ${remove}`;
}

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
