/** Helm values of the chart `ingress-nginx`. Pure. */

import { mergeValues } from "../charts/merge";
import { NGINX } from "./accounts";
import type { NginxSettings, Scheme } from "./settings";

/** `hasController`: whether the AWS Load Balancer Controller runs, which then makes the load balancer. */
export function nginxValues(settings: NginxSettings, hasController: boolean): Record<string, unknown> {
  const { className, replicas, scheme } = settings;
  const values = {
    fullnameOverride: NGINX.release,
    controller: {
      replicaCount: replicas,
      ingressClass: className,
      ingressClassResource: { name: className, controllerValue: "k8s.io/ingress-nginx" },
      service: serviceOf(scheme, hasController),
      resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "1Gi" } },
    },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}

/** A network load balancer: made by the controller with pods as its targets, else by Kubernetes itself with nodes. */
function serviceOf(scheme: Scheme, hasController: boolean): Record<string, unknown> {
  const key = (name: string): string => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
  if (hasController) {
    return {
      loadBalancerClass: "service.k8s.aws/nlb",
      annotations: { [key("nlb-target-type")]: "ip", [key("scheme")]: scheme },
    };
  }
  return {
    annotations: { [key("type")]: "nlb", ...(scheme === "internal" ? { [key("internal")]: "true" } : {}) },
    // Only nodes with a pod of it are targets, and clients keep their addresses.
    externalTrafficPolicy: "Local",
  };
}
