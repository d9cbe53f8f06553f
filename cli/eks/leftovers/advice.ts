/** Advice about resources that remain after a destroy. Pure. */

import type { OwningObject } from "./owner";
import type { Kind, Seen } from "./seen";

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
export function adviceFor(one: Seen, owner: OwningObject | undefined, isRunning: boolean, region: string): string {
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
