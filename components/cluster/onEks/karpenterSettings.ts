import type * as pulumi from "@pulumi/pulumi";

/** Decoded config of Karpenter, with all defaults. */
export interface KarpenterSettings {
  readonly replicas: number;
  readonly cpu: number;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Values of the chart that select images on a mirror. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What Karpenter needs from the cluster to create nodes. */
export interface NodeSource {
  readonly role: { readonly name: pulumi.Output<string>; readonly arn: pulumi.Output<string> };
  /** Private subnets, one per zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** Security group that EKS creates for the control plane and all nodes. */
  readonly securityGroupId: pulumi.Output<string>;
  /** Image releases by pool, for pools that set `ami`. */
  readonly images: Readonly<Record<string, string>>;
  /** Names of placement groups by pool. Default: none. */
  readonly placementGroups?: Readonly<Record<string, pulumi.Output<string>>>;
}

/** The same with resolved ids. */
export interface KnownSource {
  readonly roleName: string;
  readonly subnetIds: readonly string[];
  readonly securityGroupId: string;
  readonly images: Readonly<Record<string, string>>;
  readonly placementGroups?: Readonly<Record<string, string>>;
}
