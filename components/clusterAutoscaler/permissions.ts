import { partsOf } from "../cluster/serviceAccountRole/clusterArn";
import type { Statement } from "../cluster/serviceAccountRole/document";

const DESCRIBE = [
  "autoscaling:DescribeAutoScalingGroups",
  "autoscaling:DescribeAutoScalingInstances",
  "autoscaling:DescribeLaunchConfigurations",
  "autoscaling:DescribeScalingActivities",
  "ec2:DescribeImages",
  "ec2:DescribeInstanceTypes",
  "ec2:DescribeLaunchTemplateVersions",
  "ec2:GetInstanceTypesFromInstanceRequirements",
];

/**
 * Permissions of the autoscaler for the cluster with this ARN: describe all groups, since AWS does not support a
 * narrower permission, and change those with this cluster's tags, in its own account and region. Pure.
 */
export function autoscalerStatements(clusterArn: string): Statement[] {
  const { partition, place, name } = partsOf(clusterArn);
  return [
    {
      sid: "See",
      effect: "Allow",
      actions: DESCRIBE,
      resources: ["*"],
      wildcardReason: "these actions only describe, and AWS offers no resources for them",
    },
    {
      sid: "SeeNodeGroups",
      effect: "Allow",
      actions: ["eks:DescribeNodegroup"],
      resources: [`arn:${partition}:eks:${place}:nodegroup/${name}/*/*`],
    },
    {
      sid: "Scale",
      effect: "Allow",
      actions: ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
      resources: [`arn:${partition}:autoscaling:${place}:autoScalingGroup:*:autoScalingGroupName/*`],
      conditions: {
        StringEquals: {
          "aws:ResourceTag/k8s.io/cluster-autoscaler/enabled": "true",
          [`aws:ResourceTag/k8s.io/cluster-autoscaler/${name}`]: "owned",
        },
      },
    },
  ];
}
