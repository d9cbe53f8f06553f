/** What AWS has of a cluster, before anybody judged it. */

export type Kind =
  "load balancer" | "instance" | "network interface" | "security group" | "target group" | "volume" | "snapshot";

export interface Seen {
  readonly kind: Kind;
  /** What AWS' command line takes; an ARN for load balancers and target groups. */
  readonly id: string;
  readonly state: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Name or description, as AWS has it. */
  readonly text?: string;
  /** Of a network interface: the instance that it goes with. */
  readonly instance?: string;
  /** Of a network interface: its type, which says what AWS made it for. */
  readonly use?: string;
  /** Whether it is in the VPC that the platform creates. */
  readonly inOwnVpc: boolean;
}

export interface Account {
  /** Whether EKS has the cluster. */
  readonly isRunning: boolean;
  readonly seen: readonly Seen[];
}

/** The cluster whose resources are searched. */
export interface Target {
  readonly name: string;
  readonly region: string;
  /** Whether the platform creates the VPC, so that a destroy deletes it. */
  readonly ownsVpc: boolean;
  /** Services of type LoadBalancer that a destroy deletes before the cluster, as `namespace/name`. */
  readonly ownServices: readonly string[];
}
