/** Resources of a cluster on AWS, before they are judged. */

export type Kind =
  "load balancer" | "instance" | "network interface" | "security group" | "target group" | "volume" | "snapshot";

export interface Seen {
  readonly kind: Kind;
  /** Id for the AWS CLI; an ARN for load balancers and target groups. */
  readonly id: string;
  readonly state: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Name or description on AWS. */
  readonly text?: string;
  /** For a network interface: the instance that it is deleted with. */
  readonly instance?: string;
  /** For a network interface: its type, which shows what AWS created it for. */
  readonly use?: string;
  /** Whether it is in the VPC that the platform creates. */
  readonly inOwnVpc: boolean;
}

export interface Account {
  /** Whether the EKS cluster exists. */
  readonly isRunning: boolean;
  readonly seen: readonly Seen[];
}

/** The cluster whose resources are searched. */
export interface SearchedCluster {
  readonly name: string;
  readonly region: string;
  /** Whether the platform creates the VPC, so that a destroy deletes it. */
  readonly ownsVpc: boolean;
  /** Services of type LoadBalancer that a destroy deletes before the cluster, as `namespace/name`. */
  readonly ownServices: readonly string[];
}
