import type * as pulumi from "@pulumi/pulumi";

/** The config of Karpenter, checked, with every default filled in. */
export interface KarpenterSettings {
  readonly replicas: number;
  readonly cpu: number;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Images that come from a mirror, as values of the chart. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What nodes are created from that no node group has: all that a cluster knows of them. */
export interface NodeSource {
  readonly role: { readonly name: pulumi.Output<string>; readonly arn: pulumi.Output<string> };
  /** Private subnets, one for each zone. */
  readonly subnetIds: readonly pulumi.Input<string>[];
  /** The group that EKS makes for the control plane and all nodes. */
  readonly securityGroupId: pulumi.Output<string>;
  /** Releases of images by pool, for those that follow one. */
  readonly images: Readonly<Record<string, string>>;
}

/** The same, once AWS has given ids. */
export interface KnownSource {
  readonly roleName: string;
  readonly subnetIds: readonly string[];
  readonly securityGroupId: string;
  readonly images: Readonly<Record<string, string>>;
}
