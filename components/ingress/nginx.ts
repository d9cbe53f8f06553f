/** Helm values of the chart `ingress-nginx`. Pure. */

import { mergeValues } from "../charts/merge";
import { isObject } from "../../foundation/json/isObject";
import type { StateResources } from "../resources/ownState";
import { NGINX } from "./accounts";
import type { NginxSettings, Scheme } from "./settings";

/** Who creates the load balancer: the AWS Load Balancer Controller, or Kubernetes itself. */
export type BalancerOwner = "controller" | "kubernetes";

const RELEASE = "kubernetes:helm.sh/v3:Release";

/** Who created it, as the state has it. Kubernetes refuses another class of a Service of type LoadBalancer, so it stays with whom it has. */
export function runningOwner(state: StateResources): BalancerOwner | undefined {
  const release = Object.values(state).find(
    ({ type, outputs }) =>
      type === RELEASE && outputs["name"] === NGINX.release && outputs["namespace"] === NGINX.namespace,
  );
  if (release === undefined) return undefined;
  const at = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);
  const service = at(at(release.outputs["values"], "controller"), "service");
  // Values with a secret in them are not read.
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

/** A network load balancer: made by the controller with pods as its targets, else by Kubernetes itself with nodes. */
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
    // Only nodes with a pod of it are targets, and clients keep their addresses.
    externalTrafficPolicy: "Local",
  };
}
