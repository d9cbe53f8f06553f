/** Helm values of the chart `external-dns`, and its IAM permissions. Pure. */

import { mergeValues } from "../../../foundation/json/merge";
import { partsOf } from "../../cluster/serviceAccountRole/clusterArn";
import type { Statement } from "../../cluster/serviceAccountRole/document";
import { chartAccount } from "../../cluster/serviceAccountRole/plan";
import { DNS } from "../accounts";
import type { DnsSettings, ServedCluster } from "../config/schema";

/** `roleArn`: role in the annotation of the service account. Not set with Pod Identity. */
export function dnsValues(
  settings: DnsSettings,
  { name, region }: ServedCluster,
  roleArn: string | undefined,
): Record<string, unknown> {
  const values = {
    fullnameOverride: DNS.release,
    provider: { name: "aws" },
    sources: ["ingress", "service"],
    policy: settings.policy,
    registry: "txt",
    // The owner id protects the records of other clusters, including one of the same name in another region.
    txtOwnerId: `${name}.${region}`,
    domainFilters: [...settings.domains],
    extraArgs: settings.zones.map((zone) => `--zone-id-filter=${zone}`),
    env: [{ name: "AWS_REGION", value: region }],
    serviceAccount: chartAccount(DNS.release, roleArn),
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "256Mi" } },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}

export const zoneArns = (partition: string, zones: readonly string[]): string[] =>
  zones.map((zone) => `arn:${partition}:route53:::hostedzone/${zone}`);

/** Permissions to find its zones and write their records. */
export function dnsStatements(clusterArn: string, { zones }: Pick<DnsSettings, "zones">): Statement[] {
  const { partition } = partsOf(clusterArn);
  return [
    {
      sid: "Records",
      effect: "Allow",
      actions: ["route53:ChangeResourceRecordSets", "route53:ListResourceRecordSets", "route53:ListTagsForResources"],
      resources: zoneArns(partition, zones),
    },
    {
      sid: "FindZones",
      effect: "Allow",
      actions: ["route53:ListHostedZones"],
      resources: ["*"],
      wildcardReason: "this action only lists, and AWS offers no resources for it",
    },
  ];
}
