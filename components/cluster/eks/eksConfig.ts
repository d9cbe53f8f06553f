import type { KarpenterSettings } from "../karpenter/settings";
import type { NodePoolConfig } from "../nodePool/plan";
import type { Identity } from "../serviceAccountRole/plan";
import type { RoleSettings } from "./onEks";
import type { NodesMode } from "../nodePool/pools";
import type { EksLock } from "./versions/lock";

/** A VPC that exists, or one that is made: exactly one of both. */
export interface NetworkConfig {
  readonly existing?: { readonly privateSubnetIds: readonly string[]; readonly publicSubnetIds: readonly string[] };
  readonly make?: { readonly cidr: string; readonly zones: number; readonly nat: "perZone" | "single" };
  /** IPv4 range of Kubernetes services. */
  readonly serviceCidr: string;
}

export interface AddonRole {
  readonly roleArn?: string;
  /** Service account that has the role by Pod Identity. */
  readonly serviceAccount?: string;
}

/** The boundary of a role, where there is one. */
export const bounded = ({
  roles: { permissionsBoundary },
}: Pick<EksConfig, "roles">): { permissionsBoundary?: string } =>
  permissionsBoundary === undefined ? {} : { permissionsBoundary };

/** The config of an EKS cluster, checked, with every default filled in. */
export interface EksConfig {
  readonly name: string;
  readonly region: string;
  /** Kubernetes minor, such as 1.35. */
  readonly version: string;
  readonly network: NetworkConfig;
  readonly endpoint: { readonly private: boolean; readonly publicCidrs: readonly string[] };
  /** IAM principals by a name of the user's. */
  readonly access: {
    readonly admins: Readonly<Record<string, string>>;
    readonly readers: Readonly<Record<string, string>>;
    /** Whether the identity that makes the cluster may administer it. */
    readonly creatorIsAdmin: boolean;
  };
  /** ARN of the KMS key for secrets. Default: one is made. */
  readonly kmsKey?: string;
  /** Until when a minor is supported: `extended` is longer, and costs more once standard support has ended. */
  readonly supportType: "standard" | "extended";
  readonly logRetentionDays: number;
  readonly deletionProtection: boolean;
  readonly identity: Identity;
  readonly roles: RoleSettings;
  /** IAM role of the network add-on: the node role, or a separate role through Pod Identity. */
  readonly cniRights: "nodes" | "podIdentity";
  /** Add-ons besides the platform's own, with the roles that are there for them. */
  readonly moreAddons: Readonly<Record<string, AddonRole>>;
  /** Versions of add-ons that are not to follow the cluster's, by name. */
  readonly addonVersions: Readonly<Record<string, string>>;
  /** Versions that are recorded, of this Kubernetes minor and others. */
  readonly lock: EksLock;
  /** Whether an add-on without a recorded version is refused; else it is only reported. */
  readonly lockRequired: boolean;
  /** Name of the file that records them, for messages. */
  readonly lockFile: string;
  /** Configuration of add-ons, merged into the platform's own, by name. */
  readonly addonValues: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags: Readonly<Record<string, string>>;
  /** Who adds and removes nodes. */
  readonly nodes: NodesMode;
  /** Settings of Karpenter; there where `nodes` says so. */
  readonly karpenter?: Omit<KarpenterSettings, "imageValues">;
  readonly nodePools: Readonly<Record<string, NodePoolConfig>>;
  /** Pools whose nodes Karpenter and EKS Auto Mode remove only when they are empty. Default: none. */
  readonly steadyPools?: readonly string[];
}

/** How many zones a cluster spans. */
export const zonesOf = ({ network: { existing, make } }: Pick<EksConfig, "network">): number =>
  existing?.privateSubnetIds.length ?? make?.zones ?? 1;
