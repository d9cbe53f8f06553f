/** What the platform gives each chart that runs on EKS only, whose releases a yard can't have. */

import { certificateValues } from "../../components/ingress/certificates/values";
import type { ChartName } from "../../components/charts/table";
import { gpuPluginValues } from "../../components/gpuDevicePlugin/plan";
import { efaPluginValues } from "../../components/efaDevicePlugin/plan";
import { neuronPluginValues } from "../../components/neuronDevicePlugin/plan";
import { metricsValues } from "../../components/metricsServer/plan";
import { dnsValues } from "../../components/ingress/dns/values";
import { karpenterValues } from "../../components/karpenter/values";
import { loadBalancerValues } from "../../components/ingress/ingress";
import { nginxValues } from "../../components/ingress/nginx";

const COMMON = { timeoutSeconds: 60, imageValues: {}, values: {} };
const CLUSTER = { name: "acme", region: "eu-central-1" };
const ROLE = "arn:aws:iam::123456789012:role/acme";
const served = { ...COMMON, className: "nginx", scheme: "internal", replicas: 2 } as const;
const balancer = { ...served, className: "alb", allowCrdChanges: [] };
const dns = { ...COMMON, zones: ["Z0123456789ABC"], domains: ["eu.example.com"], policy: "sync" as const };
const certificates = {
  ...COMMON,
  email: "a@example.com",
  zones: [],
  className: "nginx",
  server: "https://acme-v02.api.letsencrypt.org/directory",
};

const karpenter = { ...COMMON, replicas: 2, cpu: 1, memoryMb: 1000 };

export const EKS_ONLY: Readonly<Partial<Record<ChartName, Readonly<Record<string, Record<string, unknown>>>>>> = {
  "ingress-nginx": {
    alone: nginxValues(served, "kubernetes"),
    "behind the controller": nginxValues(served, "controller"),
  },
  "aws-load-balancer-controller": {
    "IAM roles for service accounts": loadBalancerValues(balancer, CLUSTER, { vpcId: "vpc-1", roleArn: ROLE }),
    "Pod Identity": loadBalancerValues(balancer, CLUSTER, { vpcId: "vpc-1" }),
  },
  "external-dns": {
    "IAM roles for service accounts": dnsValues(dns, CLUSTER, ROLE),
    "Pod Identity": dnsValues(dns, CLUSTER, undefined),
  },
  "cert-manager": {
    "IAM roles for service accounts": certificateValues(certificates, ROLE),
    "Pod Identity": certificateValues(certificates, undefined),
  },
  karpenter: {
    "IAM roles for service accounts": karpenterValues(karpenter, { ...CLUSTER, queueName: "acme", roleArn: ROLE }),
    "Pod Identity": karpenterValues(karpenter, { ...CLUSTER, queueName: "acme" }),
  },
  "metrics-server": {
    "two pods": metricsValues({ ...COMMON, replicas: 2 }),
    "one pod": metricsValues({ ...COMMON, replicas: 1 }),
  },
  "nvidia-device-plugin": {
    "all pools": gpuPluginValues(COMMON),
    "some pools": gpuPluginValues({ ...COMMON, pools: ["gpu"] }),
  },
  "neuron-helm-chart": {
    "all nodes": neuronPluginValues(COMMON),
    "some pools": neuronPluginValues({ ...COMMON, pools: ["training"] }),
  },
  "aws-efa-k8s-device-plugin": {
    "all nodes": efaPluginValues(COMMON),
    "some pools": efaPluginValues({ ...COMMON, pools: ["training"] }),
  },
};
