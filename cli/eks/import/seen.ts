import type * as ec2 from "@aws-sdk/client-ec2";
import type * as eks from "@aws-sdk/client-eks";

/** A launch template that a node group uses, in the version that it uses. */
export interface SeenTemplate extends ec2.LaunchTemplateVersion {
  readonly latest: number;
}

/** An existing cluster on EKS, in the words of AWS' APIs. */
export interface SeenEks {
  readonly region: string;
  readonly cluster: eks.Cluster;
  readonly nodeGroups: readonly eks.Nodegroup[];
  readonly addons: readonly eks.Addon[];
  readonly entries: readonly {
    readonly entry: eks.AccessEntry;
    readonly policies: readonly eks.AssociatedAccessPolicy[];
  }[];
  readonly fargateProfiles: readonly string[];
  readonly podIdentities: readonly string[];
  readonly identityProviders: readonly string[];
  readonly subnets: readonly ec2.Subnet[];
  /** Of the VPC. */
  readonly routeTables: readonly ec2.RouteTable[];
  /** By the name of the node group. */
  readonly templates: Readonly<Record<string, SeenTemplate>>;
  /** The log group of the control plane; undefined if there is none. Without retention, it keeps logs forever. */
  readonly logs: { readonly retentionDays?: number } | undefined;
  /** ARN of the OIDC provider in IAM; undefined if there is none. */
  readonly oidcProvider: string | undefined;
  /** ARNs of managed policies by the name of the role: of the control plane, and of nodes. */
  readonly attached: Readonly<Record<string, readonly string[]>>;
  /** ARN of whoever reads it. */
  readonly caller: string;
}

/** What is found about the import of a part. */
export interface ImportNotes {
  /** Stays as it is, and the key that changes it. */
  readonly kept: readonly string[];
  /** Changes in the first update, or is created. */
  readonly changed: readonly string[];
  /** Is not taken over. */
  readonly outside: readonly string[];
}
