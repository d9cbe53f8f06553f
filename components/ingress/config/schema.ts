import type * as z from "zod";
import { count, flag, matching, oneOf, strict, listOf, list } from "../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../charts/config/helm";

/** Schema of the key `ingress`. */

const common = {
  enabled: flag().default(true).describe("`false` removes it."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
};

const roleArn = () =>
  matching(/^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/, "the ARN of a role")
    .optional()
    .describe("ARN of the IAM role of its service account. Default: a new role.");

const CLASS = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
const className = () => matching(CLASS, "the name of an IngressClass");

const scheme = () =>
  oneOf(["internet-facing", "internal"])
    .default("internet-facing")
    .describe("Whether its load balancers are reachable from the internet or only from the VPC.");

const replicas = () => count("a whole number from 1 to 10", 10).default(2).describe("Number of pods.");

const zones = () =>
  listOf(
    matching(/^Z[A-Z0-9]{1,31}$/, "the id of a hosted zone, such as Z0123456789ABCDEFGHIJ"),
    "ids of hosted zones",
  );

const domain = matching(
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
  "a domain such as eu.example.com",
);

const controller = strict("an object", {
  ...common,
  roleArn: roleArn(),
  className: className().default("alb").describe("Name of the IngressClass that it creates and serves."),
  scheme: scheme(),
  replicas: replicas(),
  allowCrdChanges: list(matching(/^\S+$/, "the name of a check"), "names").describe(
    "Breaking changes of its CustomResourceDefinitions to allow, named as the error names them.",
  ),
});

const nginx = strict("an object", {
  ...common,
  className: className().default("nginx").describe("Name of the IngressClass that it creates and serves."),
  scheme: scheme(),
  replicas: replicas(),
});

const dns = strict("an object with zones", {
  ...common,
  roleArn: roleArn(),
  zones: zones()
    .min(1, { error: "at least one hosted zone" })
    .describe("Ids of the Route 53 hosted zones that it may write to."),
  domains: list(domain, "domains").describe("Domains that it manages. Default: all domains of the zones."),
  policy: oneOf(["upsert-only", "sync"])
    .default("upsert-only")
    .describe(
      "`sync`: also delete its own records when they are no longer needed. `upsert-only`: never delete records.",
    ),
});

const certificates = strict("an object with email", {
  ...common,
  roleArn: roleArn(),
  email: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "an e-mail address").describe(
    "Email address for messages from Let's Encrypt.",
  ),
  zones: zones()
    .default([])
    .describe(
      "Route 53 hosted zones for DNS-01 challenges, which wildcard certificates require. Default: HTTP-01 challenges through Ingresses.",
    ),
  className: className()
    .optional()
    .describe("IngressClass for HTTP-01 challenges. Default: the only one that the platform serves."),
  server: matching(/^https:\/\/\S+$/, "a URL")
    .default("https://acme-v02.api.letsencrypt.org/directory")
    .describe(
      "URL of the ACME server. The staging server has higher rate limits: `https://acme-staging-v02.api.letsencrypt.org/directory`.",
    ),
});

export const ingressSchema = strict(
  "an object with awsLoadBalancerController, nginx, externalDns, certManager, existing",
  {
    awsLoadBalancerController: controller
      .optional()
      .describe("The AWS Load Balancer Controller: Ingresses become Application Load Balancers."),
    nginx: nginx.optional().describe("ingress-nginx: Ingresses are served by pods behind one Network Load Balancer."),
    externalDns: dns.optional().describe("external-dns: hosts of Ingresses and Services get records in Route 53."),
    certManager: certificates
      .optional()
      .describe("cert-manager with a ClusterIssuer `letsencrypt`: Ingresses get certificates."),
    existing: list(className(), "IngressClasses").describe("IngressClasses that the cluster already serves."),
  },
).describe("Ingress controllers, DNS records and certificates of a cluster on EKS.");

export type IngressInput = z.output<typeof ingressSchema>;

/** Decoded settings of a chart, with values that select its images on a mirror. */
type Decoded<Part> = Omit<NonNullable<Part>, "enabled"> & { readonly imageValues: Readonly<Record<string, unknown>> };

/** Decoded config of `ingress`: only what is enabled. */
export interface IngressSettings {
  readonly awsLoadBalancerController?: LoadBalancerSettings;
  readonly nginx?: NginxSettings;
  readonly externalDns?: DnsSettings;
  readonly certManager?: CertificateSettings;
  readonly existing: readonly string[];
}
export type LoadBalancerSettings = Decoded<IngressInput["awsLoadBalancerController"]>;
export type NginxSettings = Decoded<IngressInput["nginx"]>;
export type Scheme = NginxSettings["scheme"];
export type DnsSettings = Decoded<IngressInput["externalDns"]>;
export type CertificateSettings = Decoded<IngressInput["certManager"]> & { readonly className: string };

/** The EKS cluster to install on. */
export interface ServedCluster {
  readonly name: string;
  readonly region: string;
}
