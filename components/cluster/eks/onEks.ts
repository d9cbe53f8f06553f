import { LIMITS, limited } from "../awsNames";
import type { Identity } from "../serviceAccountRole/plan";

/** A cluster on EKS, as much of it as roles and what runs on it must know. */
export interface OnEks {
  readonly name: string;
  readonly region: string;
  readonly identity: Identity;
  readonly roles: RoleSettings;
  /** IAM role of the network add-on of a created cluster. */
  readonly cniRights?: "nodes" | "podIdentity";
}

/** What all roles that are made for a cluster have in common. */
export interface RoleSettings {
  /** What their names begin with. Default: the cluster's name. */
  readonly prefix?: string;
  /** ARN of the policy that bounds what they may do. */
  readonly permissionsBoundary?: string;
}

/** What the names of roles of a cluster begin with. */
export const rolePrefix = ({ name, roles }: Pick<OnEks, "name" | "roles">): string => roles.prefix ?? name;

/** Name of the role of the control plane, which a cluster keeps permanently. */
export const controlPlaneRole = (of: Pick<OnEks, "name" | "roles">): string =>
  limited(`${rolePrefix(of)}-control-plane`, LIMITS.role);

/** Name of the role of all nodes. */
export const nodeRole = (of: Pick<OnEks, "name" | "roles">): string => limited(`${rolePrefix(of)}-nodes`, LIMITS.role);

/** A cluster on EKS that exists. */
export interface ExistingEks extends OnEks {
  /** Kubernetes minor; needed by the autoscaler. */
  readonly version?: string;
  /** ARN of its OIDC provider in IAM. Default: the one of its issuer. */
  readonly oidcProviderArn?: string;
  /** Tags of what is made for it on AWS. */
  readonly tags: Readonly<Record<string, string>>;
}
