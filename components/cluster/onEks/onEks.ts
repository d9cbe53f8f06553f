import { LIMITS, limited } from "../awsNames";
import type { BucketAccess } from "./buckets";

/** How pods authenticate: IAM roles for service accounts (IRSA) or EKS Pod Identity. */
export type Identity = "irsa" | "podIdentity";

/** What roles and workloads need to know about an EKS cluster. */
export interface OnEks {
  readonly name: string;
  readonly region: string;
  readonly identity: Identity;
  readonly roles: RoleSettings;
  /** IAM role of the network add-on of a created cluster. */
  readonly cniRights?: "nodes" | "podIdentity";
  /** What adds nodes to a created cluster. */
  readonly nodes?: "managed" | "karpenter" | "auto";
  /** Additional add-ons of a created cluster, by name. */
  readonly moreAddons?: Readonly<Record<string, AddonSettings>>;
}

/** Settings of an additional add-on. */
export interface AddonSettings {
  /** Existing role of its pods. Default: the platform creates one for add-ons that it knows. */
  readonly roleArn?: string;
  /** Service account that gets the role through Pod Identity. */
  readonly serviceAccount?: string;
  /** EFS file system of the class `efs`. Default: no class. */
  readonly fileSystemId?: string;
  /** Workspace of Amazon Managed Service for Prometheus that gets metrics. Default: no collector. */
  readonly workspaceId?: string;
  /** Buckets that the S3 driver may mount. Default: none. */
  readonly buckets?: readonly BucketAccess[];
}

/** Settings of all roles that are created for a cluster. */
export interface RoleSettings {
  /** Prefix of their names. Default: the cluster's name. */
  readonly prefix?: string;
  /** ARN of their permissions boundary. */
  readonly permissionsBoundary?: string;
}

/** Prefix of the names of a cluster's roles. */
export const rolePrefix = ({ name, roles }: Pick<OnEks, "name" | "roles">): string => roles.prefix ?? name;

/** Name of the control plane's role, which can't change. */
export const controlPlaneRole = (of: Pick<OnEks, "name" | "roles">): string =>
  limited(`${rolePrefix(of)}-control-plane`, LIMITS.role);

/** Name of the role of all nodes. */
export const nodeRole = (of: Pick<OnEks, "name" | "roles">): string => limited(`${rolePrefix(of)}-nodes`, LIMITS.role);

/** An existing EKS cluster. */
export interface ExistingEks extends OnEks {
  /** Kubernetes minor version; required by the autoscaler. */
  readonly version?: string;
  /** ARN of its OIDC provider in IAM. Default: looked up by its issuer. */
  readonly oidcProviderArn?: string;
  /** Tags of the AWS resources that are created for it. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Whether the platform creates a cluster of this type. */
export const isCreatedOnEks = (type: unknown): boolean => type === "eks" || type === "pulumiEks";
