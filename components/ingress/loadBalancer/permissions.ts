import type { Statement } from "../../cluster/serviceAccountRole/document";
import { partsOf } from "../../cluster/serviceAccountRole/clusterArn";

const DESCRIBE = [
  "ec2:DescribeAccountAttributes",
  "ec2:DescribeAddresses",
  "ec2:DescribeAvailabilityZones",
  "ec2:DescribeInstances",
  "ec2:DescribeInternetGateways",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeRouteTables",
  "ec2:DescribeSecurityGroups",
  "ec2:DescribeSubnets",
  "ec2:DescribeTags",
  "ec2:DescribeVpcPeeringConnections",
  "ec2:DescribeVpcs",
  "elasticloadbalancing:DescribeCapacityReservation",
  "elasticloadbalancing:DescribeListenerAttributes",
  "elasticloadbalancing:DescribeListenerCertificates",
  "elasticloadbalancing:DescribeListeners",
  "elasticloadbalancing:DescribeLoadBalancerAttributes",
  "elasticloadbalancing:DescribeLoadBalancers",
  "elasticloadbalancing:DescribeRules",
  "elasticloadbalancing:DescribeSSLPolicies",
  "elasticloadbalancing:DescribeTags",
  "elasticloadbalancing:DescribeTargetGroupAttributes",
  "elasticloadbalancing:DescribeTargetGroups",
  "elasticloadbalancing:DescribeTargetHealth",
  "elasticloadbalancing:DescribeTrustStores",
  "acm:ListCertificates",
];

/**
 * Permissions of the controller for the cluster with this ARN: read networks, and create and change what carries the
 * cluster's tag, in its own account and region. Derived from the policy of version 3.5.0 of the controller, without
 * WAF, Shield, Cognito, IPAM and IAM server certificates, and with the cluster's tag where that policy requires any
 * tag. Pure.
 */
export function loadBalancerStatements(clusterArn: string): Statement[] {
  const { partition, account, place, name } = partsOf(clusterArn);
  const balancing = (...kinds: string[]) =>
    kinds.map((kind) => `arn:${partition}:elasticloadbalancing:${place}:${kind}`);
  const groups = `arn:${partition}:ec2:${place}:security-group/*`;
  const owned = { StringEquals: { "aws:ResourceTag/elbv2.k8s.aws/cluster": name } };
  const making = { StringEquals: { "aws:RequestTag/elbv2.k8s.aws/cluster": name } };
  const rules = ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"];
  const balancers = ["loadbalancer/app/*/*", "loadbalancer/net/*/*", "targetgroup/*/*"];
  const allow = (sid: string, rest: Omit<Statement, "sid" | "effect">): Statement => ({
    sid,
    effect: "Allow",
    ...rest,
  });
  return [
    allow("See", {
      actions: DESCRIBE,
      resources: ["*"],
      wildcardReason: "these actions only describe, and AWS offers no resources for them",
    }),
    allow("SeeMore", {
      actions: ["acm:DescribeCertificate", "ec2:GetSecurityGroupsForVpc"],
      resources: [`arn:${partition}:acm:${place}:certificate/*`, `arn:${partition}:ec2:${place}:vpc/*`],
    }),
    allow("ServiceLinkedRole", {
      actions: ["iam:CreateServiceLinkedRole"],
      resources: [`arn:${partition}:iam::${account}:role/aws-service-role/elasticloadbalancing.amazonaws.com/*`],
      conditions: { StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" } },
    }),
    allow("MakeSecurityGroups", {
      actions: ["ec2:CreateSecurityGroup"],
      resources: [groups, `arn:${partition}:ec2:${place}:vpc/*`],
    }),
    allow("TagNewSecurityGroups", {
      actions: ["ec2:CreateTags"],
      resources: [groups],
      conditions: {
        StringEquals: { "ec2:CreateAction": "CreateSecurityGroup", "aws:RequestTag/elbv2.k8s.aws/cluster": name },
      },
    }),
    allow("OwnSecurityGroups", {
      actions: [...rules, "ec2:CreateTags", "ec2:DeleteTags", "ec2:DeleteSecurityGroup"],
      resources: [groups],
      conditions: owned,
    }),
    // Security groups of the nodes, which must admit traffic of the load balancers.
    allow("NodesSecurityGroups", {
      actions: rules,
      resources: [groups],
      conditions: { StringEquals: { [`aws:ResourceTag/kubernetes.io/cluster/${name}`]: "owned" } },
    }),
    allow("Make", {
      actions: ["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"],
      resources: balancing(...balancers),
      conditions: making,
    }),
    allow("TagNew", {
      actions: ["elasticloadbalancing:AddTags"],
      resources: balancing(...balancers),
      conditions: {
        StringEquals: {
          "elasticloadbalancing:CreateAction": ["CreateLoadBalancer", "CreateTargetGroup"],
          "aws:RequestTag/elbv2.k8s.aws/cluster": name,
        },
      },
    }),
    allow("Own", {
      actions: [
        "AddTags",
        "RemoveTags",
        "CreateListener",
        "DeleteLoadBalancer",
        "DeleteTargetGroup",
        "DeregisterTargets",
        "ModifyCapacityReservation",
        "ModifyLoadBalancerAttributes",
        "ModifyTargetGroup",
        "ModifyTargetGroupAttributes",
        "RegisterTargets",
        "SetIpAddressType",
        "SetSecurityGroups",
        "SetSubnets",
      ].map((action) => `elasticloadbalancing:${action}`),
      resources: balancing(...balancers),
      conditions: owned,
    }),
    // The controller can be configured not to tag listeners, so no tag is required.
    allow("Listeners", {
      actions: [
        "AddListenerCertificates",
        "AddTags",
        "CreateRule",
        "DeleteListener",
        "DeleteRule",
        "ModifyListener",
        "ModifyListenerAttributes",
        "ModifyRule",
        "RemoveListenerCertificates",
        "RemoveTags",
        "SetRulePriorities",
      ].map((action) => `elasticloadbalancing:${action}`),
      resources: balancing("listener/*/*/*/*", "listener-rule/*/*/*/*/*"),
    }),
  ];
}
