import { locationName, provisionId, runtimeNames, type RuntimeNames } from "./names";
import type { Deployment, KubernetesProvisioner, Platform } from "./platform/platform";
import { runtimeSize, type RuntimeSize } from "./size";

/** What every runtime is, whatever makes it. */
interface PlanBase extends RuntimeSize {
  /** Name of a new runtime's resources: the same for provisioners at the same place. */
  readonly name: string;
  readonly provisioner: string;
  readonly deployment: Deployment;
  /** Revision of the provisioner, as the platform exports it. */
  readonly revision?: string;
}

export interface StaticPlan extends PlanBase {
  readonly type: "static";
  readonly pool: string;
}

export interface KubernetesPlan extends PlanBase {
  readonly type: "kubernetes";
  readonly spec: KubernetesProvisioner;
  /** The provisioner's, or the one that the runtime is in. */
  readonly namespace: string;
  readonly provisionId: string;
  readonly names: RuntimeNames;
  /** URL of the runtime. */
  readonly host: string;
  readonly audienceUrl: string;
  /** Full URL to ask once it is rolled out; absent when it is not to be asked. */
  readonly pingUrl?: string;
}

export type RuntimePlan = StaticPlan | KubernetesPlan;

/** What a deployment becomes with a provisioner of the set. Pure; the provisioner must be in the set. */
export function planRuntime(platform: Platform, deployment: Deployment, provisioner: string): RuntimePlan {
  const spec = platform.provisioners[provisioner];
  if (spec === undefined) throw new Error(`provisioner "${provisioner}" is not in the set`);
  const revision = platform.provisionerRevisions?.[provisioner];
  const known = revision === undefined ? {} : { revision };
  const base = { provisioner, deployment, ...known, ...runtimeSize(deployment, platform.slot) };
  if (spec.type === "static") {
    return { ...base, type: "static", name: locationName("static", spec.pool), pool: spec.pool };
  }
  const id = provisionId(deployment.id);
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
