import { Grant } from "@pulumi/aws/kms";
import * as pulumi from "@pulumi/pulumi";
import { partsOf } from "./clusterArn";
import type { NodePoolConfig } from "../nodePool/plan";

/** Lets whoever creates disks encrypt them with their keys. */

/** Source: the Amazon EC2 Auto Scaling user guide, "Required AWS KMS key policy for use with encrypted volumes". */
const OPERATIONS = [
  "CreateGrant",
  "Decrypt",
  "DescribeKey",
  "Encrypt",
  "GenerateDataKey",
  "GenerateDataKeyWithoutPlaintext",
  "ReEncryptFrom",
  "ReEncryptTo",
];

/** Service-linked roles that launch instances, by their services. */
export const LAUNCHERS = {
  autoscaling: "AWSServiceRoleForAutoScaling",
  spot: "AWSServiceRoleForEC2Spot",
} as const;

/** ARN of a service-linked role in the account of a cluster. */
export const launcherArn = (clusterArn: pulumi.Input<string>, service: keyof typeof LAUNCHERS): pulumi.Output<string> =>
  pulumi.output(clusterArn).apply((arn) => {
    const { partition, account } = partsOf(arn);
    return `arn:${partition}:iam::${account}:role/aws-service-role/${service}.amazonaws.com/${LAUNCHERS[service]}`;
  });

/** The keys of pools, each once. */
export const diskKeys = (pools: Readonly<Record<string, NodePoolConfig>>): string[] => [
  ...new Set(Object.values(pools).flatMap(({ diskKey }) => diskKey ?? [])),
];

/** The key of volumes of pods, if there is one. */
export const volumeKeys = ({ volumeKey }: { readonly volumeKey?: string }): string[] =>
  volumeKey === undefined ? [] : [volumeKey];

/**
 * Grants keys to a role, whatever their key policies say of it. The names of grants end with the id of the key. Who
 * creates them needs `kms:CreateGrant`.
 */
export const createDiskGrants = (
  name: string,
  keys: readonly string[],
  granteePrincipal: pulumi.Input<string>,
  parent: pulumi.Resource,
): Grant[] =>
  keys.map(
    (key) =>
      new Grant(
        `${name}/${key.split("/").at(-1)}`,
        { keyId: key, granteePrincipal, operations: OPERATIONS },
        { parent },
      ),
  );
