/** Helm values of the chart `cert-manager`, its IAM permissions and its ClusterIssuer. Pure. */

import { mergeValues } from "../../../foundation/json/merge";
import { partsOf } from "../../cluster/serviceAccountRole/clusterArn";
import type { Statement } from "../../cluster/serviceAccountRole/document";
import { chartAccount } from "../../cluster/serviceAccountRole/plan";
import { CERTIFICATES } from "../accounts";
import { zoneArns } from "../dns/values";
import type { CertificateSettings, ServedCluster } from "../config/schema";

/** Name for the annotation `cert-manager.io/cluster-issuer` of Ingresses. */
const ISSUER = "letsencrypt";

/** `roleArn`: role in the annotation of the service account. Not set with Pod Identity. */
export function certificateValues(settings: CertificateSettings, roleArn: string | undefined): Record<string, unknown> {
  const small = { requests: { cpu: "20m", memory: "64Mi" }, limits: { memory: "256Mi" } };
  const values = {
    fullnameOverride: CERTIFICATES.release,
    // Helm upgrades its CRDs. It keeps them, and with them the certificates, when the release is deleted.
    crds: { enabled: true, keep: true },
    serviceAccount: chartAccount(CERTIFICATES.release, roleArn),
    resources: small,
    webhook: { resources: small },
    cainjector: { resources: { ...small, limits: { memory: "512Mi" } } },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}

/** Permissions for DNS-01 challenges in its zones; none for HTTP-01. */
export function certificateStatements(clusterArn: string, { zones }: Pick<CertificateSettings, "zones">): Statement[] {
  const { partition } = partsOf(clusterArn);
  return [
    {
      sid: "Records",
      effect: "Allow",
      actions: ["route53:ChangeResourceRecordSets"],
      resources: zoneArns(partition, zones),
      conditions: { "ForAllValues:StringEquals": { "route53:ChangeResourceRecordSetsRecordTypes": ["TXT"] } },
    },
    {
      sid: "SeeRecords",
      effect: "Allow",
      actions: ["route53:ListResourceRecordSets"],
      resources: zoneArns(partition, zones),
    },
    {
      sid: "Changes",
      effect: "Allow",
      actions: ["route53:GetChange"],
      resources: [`arn:${partition}:route53:::change/*`],
    },
    {
      sid: "FindZones",
      effect: "Allow",
      actions: ["route53:ListHostedZonesByName"],
      resources: ["*"],
      wildcardReason: "this action only lists, and AWS offers no resources for it",
    },
  ];
}

/** The ClusterIssuer for Let's Encrypt. */
export function issuerOf(
  { email, zones, className, server }: CertificateSettings,
  { region }: Pick<ServedCluster, "region">,
): Record<string, unknown> {
  const solver =
    zones.length > 0 ? { dns01: { route53: { region } } } : { http01: { ingress: { ingressClassName: className } } };
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "ClusterIssuer",
    metadata: { name: ISSUER },
    spec: { acme: { email, server, privateKeySecretRef: { name: `${ISSUER}-account` }, solvers: [solver] } },
  };
}
