/** Helm values of the chart `ingress-nginx`. Pure. */

import { mergeValues } from "../../foundation/json/merge";
import { isObject } from "../../foundation/json/isObject";
import type { StateResources } from "../resources/ownState";
import { HELM_RELEASE } from "../resources/tokens";
import { NGINX } from "./accounts";
import type { NginxSettings, Scheme } from "./config/schema";

/** What creates the load balancer: the AWS Load Balancer Controller, or Kubernetes itself. */
export type BalancerOwner = "controller" | "kubernetes";

/**
 * What created the existing load balancer, according to the state. Kubernetes rejects a changed class of a Service of
 * type LoadBalancer, so it never changes.
 */
export function runningOwner(state: StateResources): BalancerOwner | undefined {
  const release = Object.values(state).find(
    ({ type, outputs }) =>
      type === HELM_RELEASE && outputs["name"] === NGINX.release && outputs["namespace"] === NGINX.namespace,
  );
  if (release === undefined) return undefined;
  const at = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);
  const service = at(at(release.outputs["values"], "controller"), "service");
  // Values that contain a secret can't be read from the state.
  if (service === undefined) return undefined;
  return at(service, "loadBalancerClass") === undefined ? "kubernetes" : "controller";
}

export function nginxValues(settings: NginxSettings, owner: BalancerOwner): Record<string, unknown> {
  const { className, replicas, scheme } = settings;
  const values = {
    fullnameOverride: NGINX.release,
    controller: {
      replicaCount: replicas,
      ingressClass: className,
      ingressClassResource: { name: className, controllerValue: "k8s.io/ingress-nginx" },
      service: serviceOf(scheme, owner),
      resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "1Gi" } },
    },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}

/**
 * Annotations of a network load balancer: created by the controller with pods as targets, or by Kubernetes with nodes.
 */
function serviceOf(scheme: Scheme, owner: BalancerOwner): Record<string, unknown> {
  const key = (name: string): string => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
  if (owner === "controller") {
    return {
      loadBalancerClass: "service.k8s.aws/nlb",
      annotations: { [key("nlb-target-type")]: "ip", [key("scheme")]: scheme },
    };
  }
  return {
    annotations: { [key("type")]: "nlb", ...(scheme === "internal" ? { [key("internal")]: "true" } : {}) },
    // Only nodes with an nginx pod are targets, and client addresses are preserved.
    externalTrafficPolicy: "Local",
  };
}
