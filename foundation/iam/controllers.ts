/**
 * What the published IAM documents of controllers allow on all resources, or on all of a type, since the names of these
 * are generated. Sources: the documents of each project, or the AWS Managed Policy Reference.
 */

interface Usual {
  readonly actions: readonly string[];
  /** Types of the resources. Default: `*` too. */
  readonly types?: RegExp;
}

const USUAL: readonly Usual[] = [
  // AWS Load Balancer Controller, docs/install/iam_policy.json
  { actions: ["AuthorizeSecurityGroupIngress", "CreateSecurityGroup", "RevokeSecurityGroupIngress"].map(of("ec2")) },
  {
    actions: [
      ...["AddListenerCertificates", "CreateListener", "CreateRule", "DeleteListener", "DeleteRule", "ModifyListener"],
      ...["ModifyRule", "RemoveListenerCertificates", "SetRulePriorities", "SetWebAcl"],
    ].map(of("elasticloadbalancing")),
  },
  {
    actions: ["AddTags", "DeregisterTargets", "ModifyListenerAttributes", "RegisterTargets", "RemoveTags"].map(
      of("elasticloadbalancing"),
    ),
    types: /^(listener|listener-rule|targetgroup)\//,
  },
  { actions: ["wafv2", "waf-regional"].flatMap((waf) => ["AssociateWebACL", "DisassociateWebACL"].map(of(waf))) },
  { actions: ["CreateProtection", "DeleteProtection"].map(of("shield")) },
  // AmazonEBSCSIDriverPolicy
  {
    actions: ["AttachVolume", "CopyVolumes", "CreateSnapshot", "DetachVolume", "ModifyVolume"].map(of("ec2")),
    types: /^(instance|volume)\//,
  },
  {
    actions: ["CreateVolume", "DeleteTags", "EnableFastSnapshotRestores"].map(of("ec2")),
    types: /^(snapshot|volume)\//,
  },
  // AmazonEKS_CNI_Policy
  {
    actions: [
      ...["AssignIpv6Addresses", "AssignPrivateIpAddresses", "AttachNetworkInterface", "CreateNetworkInterface"],
      ...["DeleteNetworkInterface", "DetachNetworkInterface", "ModifyNetworkInterfaceAttribute"],
      ...["UnassignIpv6Addresses", "UnassignPrivateIpAddresses"],
    ].map(of("ec2")),
  },
  { actions: ["ec2:CreateTags"], types: /^network-interface\// },
  // Karpenter: a launch also needs instances and volumes, which its tags restrict.
  {
    actions: ["CreateFleet", "RunInstances"].map(of("ec2")),
    types:
      /^(capacity-reservation|image|launch-template|network-interface|placement-group|security-group|snapshot|subnet)\//,
  },
  // external-dns, cert-manager
  { actions: ["ChangeResourceRecordSets"].map(of("route53")), types: /^hostedzone\// },
];

function of(service: string): (name: string) => string {
  return (name) => `${service}:${name}`;
}

/** Whether controllers have this action on all resources that match. */
export const isUsual = (action: string, resource: string): boolean =>
  USUAL.some(
    ({ actions, types }) =>
      actions.some((one) => one.toLowerCase() === action.toLowerCase()) &&
      (types === undefined || types.test(resource.split(":").slice(5).join(":"))),
  );
