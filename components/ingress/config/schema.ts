import * as z from "zod";
import { count, flag, matching, oneOf, strict } from "../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../charts/config/helm";

/** The keys of `ingress`, as its author writes them. */

const common = {
  enabled: flag().default(true).describe("`false` removes it."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
};

const roleArn = () =>
  matching(/^arn:aws(-cn|-us-gov)?:iam::\d{12}:role\/\S+$/, "the ARN of a role")
    .optional()
    .describe("Role of its service account. Default: a new one.");

const CLASS = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
const className = () => matching(CLASS, "the name of an IngressClass");

const scheme = () =>
  oneOf(["internet-facing", "internal"])
    .default("internet-facing")
    .describe("Whether its load balancers can be reached from the internet, or from the VPC only.");

const replicas = () => count("a whole number from 1 to 10", 10).default(2).describe("Pods.");

const zones = () =>
  z.array(matching(/^Z[A-Z0-9]{1,31}$/, "the id of a hosted zone, such as Z0123456789ABCDEFGHIJ"), {
    error: "a list of ids of hosted zones",
  });

const domain = matching(
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
  "a domain such as eu.example.com",
);

const controller = strict("an object", {
  ...common,
  roleArn: roleArn(),
  className: className().default("alb").describe("IngressClass that it creates and serves."),
  scheme: scheme(),
  replicas: replicas(),
  allowCrdChanges: z
    .array(matching(/^\S+$/, "the name of a check"), { error: "a list of names" })
    .default([])
    .describe("Changes of its CustomResourceDefinitions that may break users, as an error names them."),
});

const nginx = strict("an object", {
  ...common,
  className: className().default("nginx").describe("IngressClass that it creates and serves."),
  scheme: scheme(),
  replicas: replicas(),
});

const dns = strict("an object with zones", {
  ...common,
  roleArn: roleArn(),
  zones: zones()
    .min(1, { error: "at least one hosted zone" })
    .describe("Hosted zones of Route 53 that it may write to, by their ids."),
  domains: z
    .array(domain, { error: "a list of domains" })
    .default([])
    .describe("Domains that it manages. Default: all of the zones."),
  policy: oneOf(["upsert-only", "sync"])
    .default("upsert-only")
    .describe("`sync` also deletes its own records that are not needed any more."),
});

const certificates = strict("an object with email", {
  ...common,
  roleArn: roleArn(),
  email: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "an e-mail address").describe("Whom Let's Encrypt writes to."),
  zones: zones()
    .default([])
    .describe("Hosted zones by whose records domains are proved, which wildcards need. Default: by Ingresses."),
  className: className()
    .optional()
    .describe("IngressClass for HTTP-01 challenges. Default: the only one that is served."),
  server: matching(/^https:\/\/\S+$/, "a URL")
    .default("https://acme-v02.api.letsencrypt.org/directory")
    .describe(
      "ACME server. That for tests has no narrow limits: `https://acme-staging-v02.api.letsencrypt.org/directory`.",
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
    existing: z
      .array(className(), { error: "a list of IngressClasses" })
      .default([])
      .describe("IngressClasses that the cluster serves already."),
  },
).describe("What serves Ingresses on a cluster on EKS.");

export type IngressInput = z.output<typeof ingressSchema>;
