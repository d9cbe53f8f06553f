/** The IAM roles of add-ons: for which service accounts, and with what AWS documents that they need. Pure. */

import type { AddonSettings, Identity, OnEks } from "../onEks/onEks";
import { partitionOf } from "../onEks/regions";
import type { Statement } from "./document";
import { s3Statements } from "./s3";

export const EBS_DRIVER = "aws-ebs-csi-driver";
export const EFS_DRIVER = "aws-efs-csi-driver";
export const FSX_DRIVER = "aws-fsx-csi-driver";
/** AWS Distro for OpenTelemetry. */
export const ADOT = "adot";
export const S3_DRIVER = "aws-mountpoint-s3-csi-driver";

/** Policy of the network add-on, attached to the node role or its own role. */
export const CNI_POLICY = "AmazonEKS_CNI_Policy";

interface AddonRole {
  /** End of the names of the role and of its resource. */
  readonly name: string;
  /** End of the name of the resource, if it is another one. */
  readonly resource?: string;
  /** Default: `kube-system`. */
  readonly namespace?: string;
  readonly serviceAccounts: readonly string[];
  /** Managed policies of AWS, by names for their resources. */
  readonly policies?: Readonly<Record<string, string>>;
  /** Permissions beside the managed policies. The role is created only if there are any. */
  readonly statements?: (settings: AddonSettings, region: string) => readonly Statement[];
  /** How its pods assume the role, if not by the identity of the cluster. */
  readonly identity?: Identity;
  /** First version that supports Pod Identity, if supported versions of Kubernetes may have older ones. */
  readonly podIdentitySince?: string;
}

/** Sources: the EKS user guide, "AWS add-ons", the CloudWatch user guide, and the change logs of the drivers. */
const ROLES: Readonly<Record<string, AddonRole>> = {
  "vpc-cni": {
    name: "vpc-cni",
    resource: "cni",
    serviceAccounts: ["aws-node"],
    policies: { network: CNI_POLICY },
    identity: "podIdentity",
  },
  [EBS_DRIVER]: {
    name: "ebs-csi",
    resource: "ebs",
    serviceAccounts: ["ebs-csi-controller-sa"],
    policies: { driver: "service-role/AmazonEBSCSIDriverPolicy" },
  },
  [EFS_DRIVER]: {
    name: "efs-csi",
    // The pods on the nodes use it for volumes with the mount option `iam`.
    serviceAccounts: ["efs-csi-controller-sa", "efs-csi-node-sa"],
    policies: { driver: "service-role/AmazonEFSCSIDriverPolicy" },
    podIdentitySince: "2.0.5",
  },
  [FSX_DRIVER]: {
    name: "fsx-csi",
    serviceAccounts: ["fsx-csi-controller-sa"],
    statements: (_, region) => fsxStatements(region),
  },
  [S3_DRIVER]: {
    name: "s3-csi",
    serviceAccounts: ["s3-csi-driver-sa"],
    statements: ({ buckets = [] }, region) => s3Statements(buckets, partitionOf(region)),
    podIdentitySince: "2.0.0",
  },
  "amazon-cloudwatch-observability": {
    name: "cloudwatch",
    namespace: "amazon-cloudwatch",
    serviceAccounts: ["cloudwatch-agent"],
    policies: { agent: "CloudWatchAgentServerPolicy", traces: "AWSXrayWriteOnlyAccess" },
    podIdentitySince: "3.1.0",
  },
  [ADOT]: {
    name: "prometheus",
    namespace: "opentelemetry-operator-system",
    serviceAccounts: ["adot-col-prom-metrics"],
    statements: ({ workspaceId }, region) =>
      workspaceId === undefined
        ? []
        : [
            {
              effect: "Allow",
              actions: ["aps:RemoteWrite"],
              resources: [`arn:${partitionOf(region)}:aps:${region}:*:workspace/${workspaceId}`],
            },
          ],
    // EKS annotates only the service account of the operator, not that of the collector.
    identity: "podIdentity",
  },
};

/** Tag of the file systems that the driver creates. */
const FSX_TAG = "CSIVolumeName";

/**
 * What the FSx driver needs, without data repositories in S3. AWS documents `AmazonFSxFullAccess`, which may delete
 * every file system.
 */
function fsxStatements(region: string): Statement[] {
  const partition = partitionOf(region);
  const fileSystems = [`arn:${partition}:fsx:${region}:*:file-system/*`];
  const tagged = (kind: "Request" | "Resource") => ({ StringLike: { [`aws:${kind}Tag/${FSX_TAG}`]: "*" } });
  const allow = (actions: string[], conditions?: Statement["conditions"]): Statement => ({
    effect: "Allow",
    actions,
    resources: fileSystems,
    ...(conditions && { conditions }),
  });
  return [
    allow(["fsx:DescribeFileSystems"]),
    allow(["fsx:CreateFileSystem", "fsx:TagResource"], tagged("Request")),
    allow(["fsx:DeleteFileSystem", "fsx:UpdateFileSystem"], tagged("Resource")),
    {
      effect: "Allow",
      actions: ["iam:CreateServiceLinkedRole"],
      resources: [`arn:${partition}:iam::*:role/aws-service-role/fsx.amazonaws.com/*`],
      conditions: { StringEquals: { "iam:AWSServiceName": "fsx.amazonaws.com" } },
    },
  ];
}

/** An add-on with the role that the platform creates for it. */
export interface RoleOfAddon extends Omit<AddonRole, "statements"> {
  readonly addon: string;
  /** Default: none. */
  readonly statements?: readonly Statement[];
}

/** Roles that the platform creates for the add-ons of a cluster; none for an existing cluster. */
export const addonRoles = (cluster: Pick<OnEks, "region" | "nodes" | "cniRights" | "moreAddons">): RoleOfAddon[] =>
  Object.entries(ROLES).flatMap(([addon, { statements: of, ...role }]) => {
    const settings = addon in OWN ? OWN[addon]!(cluster) : cluster.moreAddons?.[addon];
    if (settings === undefined || settings.roleArn !== undefined) return [];
    const statements = of?.(settings, cluster.region);
    if (statements?.length === 0) return [];
    return [{ addon, ...role, ...(statements && { statements }) }];
  });

/** When the platform's own add-ons need a role. */
const OWN: Readonly<Record<string, (cluster: Pick<OnEks, "nodes" | "cniRights">) => AddonSettings | undefined>> = {
  "vpc-cni": ({ cniRights }) => (cniRights === "podIdentity" ? {} : undefined),
  [EBS_DRIVER]: ({ nodes }) => (nodes === undefined || nodes === "auto" ? undefined : {}),
};
