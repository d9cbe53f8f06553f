import { locationName, provisionId, runtimeNames, type RuntimeNames } from "../../names";
import type { KubernetesProvisioner } from "./spec";
import type { PlanBase } from "../../planBase";

export interface KubernetesPlan extends PlanBase {
  readonly type: "kubernetes";
  readonly spec: KubernetesProvisioner;
  /** The provisioner's namespace, or the one that the runtime is in. */
  readonly namespace: string;
  readonly provisionId: string;
  readonly names: RuntimeNames;
  /** URL of the runtime. */
  readonly host: string;
  readonly audienceUrl: string;
  /** Full URL to request after the rollout. Not set if the ping is off. */
  readonly pingUrl?: string;
}

export function planKubernetes(base: Omit<PlanBase, "name">, spec: KubernetesProvisioner): KubernetesPlan {
  const id = provisionId(base.deployment.id);
  const fill = (url: string): string => url.replaceAll("*", id);
  const host = fill(spec.host);
  return {
    ...base,
    type: "kubernetes",
    name: locationName("kubernetes", spec.cluster, spec.namespace),
    spec,
    namespace: spec.namespace,
    provisionId: id,
    names: runtimeNames(id),
    host,
    audienceUrl: fill(spec.audienceUrl ?? spec.host),
    ...(spec.ping === "off" ? {} : { pingUrl: `${host.replace(/\/+$/, "")}/${spec.ping.replace(/^\/+/, "")}` }),
  };
}
