import type { KarpenterSettings } from "./karpenterSettings";
import type { NodePoolConfig } from "../nodePool/plan";
import type { AddonSettings, Identity, RoleSettings } from "./onEks";
import type { NodesMode } from "../nodePool/pools";
import type { ImportedResource } from "./eksImports";
import type { EksLock } from "./eksLock";

/** An existing VPC, or one to create. Exactly one is set. */
interface NetworkConfig {
  readonly existing?: { readonly privateSubnetIds: readonly string[]; readonly publicSubnetIds: readonly string[] };
  readonly make?: {
    readonly cidr: string;
    readonly zones: number;
    readonly nat: "perZone" | "single";
    readonly routes: Readonly<Record<string, NetworkRoute>>;
  };
  /** IPv4 range (CIDR) of Kubernetes services. */
  readonly serviceCidr: string;
}

/** A route to a connected network. Exactly one of the ids is set. */
export interface NetworkRoute {
  readonly cidr: string;
  readonly transitGatewayId?: string | undefined;
  readonly peeringConnectionId?: string | undefined;
}

interface AccessEntryConfig {
  /** ARN of a role or user. */
  readonly principal: string;
  /** Kubernetes groups. */
  readonly groups: readonly string[];
  /** Access policies by name or ARN; in the whole cluster unless there are namespaces, which may have wildcards. */
  readonly policies: readonly { readonly policy: string; readonly namespaces?: readonly string[] | undefined }[];
}

/** Group of `access.readers`. `stackyard bootstrap kubernetes` gives it what previews read beyond the policy of EKS. */
export const READERS_GROUP = "stackyard-preview";

/** The permissions boundary of a role, if configured. */
export const bounded = ({
  roles: { permissionsBoundary },
}: Pick<EksConfig, "roles">): { permissionsBoundary?: string } =>
  permissionsBoundary === undefined ? {} : { permissionsBoundary };

/** Decoded config of an EKS cluster, with all defaults. */
export interface EksConfig {
  /** `pulumiEks`: the cluster is made by `eks.Cluster` of @pulumi/eks. */
  readonly type: "eks" | "pulumiEks";
  /** Arguments of `eks.Cluster`. Default: none. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly name: string;
  readonly region: string;
  /** Kubernetes minor version, such as 1.35. */
  readonly version: string;
  /** Whether nodes are upgraded in the update after the one of the control plane, or in the same one. */
  readonly upgrade: "controlPlaneFirst" | "together";
  /** Whether EKS changes the version despite errors in its insights. */
  readonly forceUpdate: boolean;
  readonly network: NetworkConfig;
  readonly endpoint: {
    readonly private: boolean;
    readonly publicCidrs: readonly string[];
    /** Ranges that may reach the private endpoint. */
    readonly privateCidrs: readonly string[];
    /** Security groups that may reach the private endpoint. */
    readonly privateSecurityGroupIds: readonly string[];
    /** Security groups of the control plane in addition to the one of EKS. */
    readonly securityGroupIds: readonly string[];
  };
  /** ARNs of IAM principals, by names that the user chooses. */
  readonly access: {
    readonly admins: Readonly<Record<string, string>>;
    readonly readers: Readonly<Record<string, string>>;
    readonly entries: Readonly<Record<string, AccessEntryConfig>>;
    /** Whether the identity that creates the cluster becomes an administrator. */
    readonly creatorIsAdmin: boolean;
    /** Whether the ConfigMap `aws-auth` grants access beside the access entries. */
    readonly authenticationMode: "API" | "API_AND_CONFIG_MAP";
  };
  /** ARN of the KMS key for secrets. Default: one is created. */
  readonly kmsKey?: string;
  /** ARN of the KMS key for volumes of pods. Default: the account's default key for EBS. */
  readonly volumeKey?: string;
  /** How long a Kubernetes version is supported. `extended` is longer, and costs more after standard support ends. */
  readonly supportType: "standard" | "extended";
  /** Logs of the control plane, by their types in the EKS API. */
  readonly logs: readonly string[];
  readonly logRetentionDays: number;
  /** Whether traffic may be shifted away from a zone. Not set: as it is. */
  readonly zonalShift?: boolean | undefined;
  /** Capacity of the control plane, such as `tier-xl`. Not set: as it is. */
  readonly controlPlaneTier?: string | undefined;
  readonly deletionProtection: boolean;
  readonly identity: Identity;
  readonly roles: RoleSettings;
  /** IAM role of the network add-on: the node role, or a separate role through Pod Identity. */
  readonly cniRights: "nodes" | "podIdentity";
  /** Additional add-ons. */
  readonly moreAddons: Readonly<Record<string, AddonSettings>>;
  /** Fixed versions of add-ons, by add-on. The others follow the cluster's version. */
  readonly addonVersions: Readonly<Record<string, string>>;
  /** Recorded versions for this Kubernetes version and others. */
  readonly lock: EksLock;
  /** Whether an add-on without a recorded version is an error; otherwise it is a warning. */
  readonly lockRequired: boolean;
  /** Name of the lock file, for messages. */
  readonly lockFile: string;
  /** Configuration of add-ons, by add-on; merged over the platform's own. */
  readonly addonValues: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags: Readonly<Record<string, string>>;
  /** What adds and removes nodes. */
  readonly nodes: NodesMode;
  /** Settings of Karpenter. Set if `nodes` is `karpenter`. */
  readonly karpenter?: Omit<KarpenterSettings, "imageValues">;
  readonly nodePools: Readonly<Record<string, NodePoolConfig>>;
  /** Pools whose nodes are removed only when they are empty, with Karpenter or EKS Auto Mode. Default: none. */
  readonly steadyPools?: readonly string[];
  /** Resources that existed before the stack. */
  readonly imports: readonly ImportedResource[];
}

/** Number of zones that a cluster spans. */
export const zonesOf = ({ network: { existing, make } }: Pick<EksConfig, "network">): number =>
  existing?.privateSubnetIds.length ?? make?.zones ?? 1;
