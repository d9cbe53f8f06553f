import * as pulumi from "@pulumi/pulumi";
import { CERTIFICATES, DNS, LOAD_BALANCER, NGINX } from "../ingress/accounts";
import type { PlatformConfig } from "../platform/config/platformConfig";
import { OPERATOR } from "../ray/operator/plan";
import type { StateResource, StateResources } from "../resources/ownState";
import { NAMESPACE, RELEASE } from "./autoscaler/plan";
import { GPU_PLUGIN } from "./gpu/plan";
import { KARPENTER } from "./karpenter/values";
import { METRICS, METRICS_API } from "./metrics/plan";

const TYPE = "kubernetes:helm.sh/v3:Release";

export type ReleasesConfig = Pick<
  PlatformConfig,
  "cluster" | "ray" | "jupyterhub" | "clusterAutoscaler" | "karpenter" | "gpuDevicePlugin" | "metricsServer" | "ingress"
>;

/** A Helm release of a platform. */
interface PlannedRelease {
  /** Config key of the component. */
  readonly path: string;
  readonly name: string;
  readonly namespace: string;
  /** APIService that it registers, of which a cluster has one. */
  readonly apiService?: string;
  /** What is expected where another one is in its way. */
  readonly expected: string;
}

interface ReleasesAnswer {
  readonly found: readonly string[];
  readonly trouble?: string;
}

/** Name of the resource that installs JupyterHub. */
const HUB_RELEASE = "jupyterhub-release";

const ONE = "one on a cluster; disable it in this stack";

/** The releases that a platform installs on its cluster. */
export function plannedReleases(config: ReleasesConfig): PlannedRelease[] {
  const { ray, jupyterhub: hub, clusterAutoscaler, karpenter, gpuDevicePlugin, metricsServer, ingress } = config;
  const operated = Object.values(ray ?? {}).some(({ mode }) => mode === "kuberay");
  const system = (path: string, has: unknown, { release, namespace }: { release: string; namespace: string }) =>
    has === undefined ? [] : [{ path, name: release, namespace, expected: ONE }];
  return [
    ...(hub
      ? [
          {
            path: "jupyterhub",
            name: hub.releaseName,
            namespace: hub.namespace,
            expected: "a namespace and a releaseName of its own",
          },
        ]
      : []),
    ...(operated
      ? [
          {
            path: "ray",
            name: OPERATOR,
            namespace: OPERATOR,
            expected: "one KubeRay operator on a cluster; use another mode in this stack",
          },
        ]
      : []),
    ...system("clusterAutoscaler", clusterAutoscaler, { release: RELEASE, namespace: NAMESPACE }),
    ...system("cluster.nodes", karpenter, KARPENTER),
    ...system("gpuDevicePlugin", gpuDevicePlugin, GPU_PLUGIN),
    ...system("metricsServer", metricsServer, METRICS).map((one) => ({ ...one, apiService: METRICS_API })),
    ...system("ingress.awsLoadBalancerController", ingress?.awsLoadBalancerController, LOAD_BALANCER),
    ...system("ingress.nginx", ingress?.nginx, NGINX),
    ...system("ingress.externalDns", ingress?.externalDns, DNS),
    ...system("ingress.certManager", ingress?.certManager, CERTIFICATES),
  ];
}

/**
 * Refuses to install a release whose name, or names of what belongs to no namespace, somebody else's has: another platform's
 * on the same cluster, or one that was installed by hand. Helm finds that in the middle of an update only. Asks nothing
 * where no release is new.
 */
export async function checkReleases(config: ReleasesConfig, state: Promise<StateResources>): Promise<void> {
  const { cluster } = config;
  const planned = plannedReleases(config);
  if (cluster === undefined || planned.length === 0) return;
  const installed = Object.entries(await state).filter(([, { type }]) => type === TYPE);
  checkRenamed(config.jupyterhub, installed);
  if (cluster.type !== "existing") return;
  const own = new Set(installed.map(([, { outputs }]) => `${String(outputs["namespace"])}/${String(outputs["name"])}`));
  const fresh = planned.filter(({ name, namespace }) => !own.has(`${namespace}/${name}`));
  if (fresh.length === 0) return;
  const { kubeconfig, context } = cluster.access;
  const { found, trouble } = (await pulumi.runtime.invoke("stackyard:index:readReleases", {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    releases: fresh.map(({ name, namespace, apiService }) => ({
      name,
      namespace,
      ...(apiService !== undefined && { apiService }),
    })),
    own: [...own],
  })) as ReleasesAnswer;
  // Whatever is wrong with the cluster, the first resource reports.
  if (trouble !== undefined) await pulumi.log.debug(`Whether releases are there is not known: ${trouble}`);
  const faults = fresh.flatMap(({ path, expected }, index) => {
    const other = found[index] ?? "";
    return other === "" ? [] : [`  - stackyard:${path}: found ${other}; expected ${expected}`];
  });
  if (faults.length === 0) return;
  throw new pulumi.RunError(
    [
      "The cluster has Helm releases that this stack does not own; nothing was changed.",
      ...faults,
      "If an interrupted update of this stack left one, remove it: helm uninstall NAME --namespace NAMESPACE",
    ].join("\n"),
  );
}

/** Helm gives nothing of one release to another, and the volume with the hub's database stays when a release goes. */
function checkRenamed(
  hub: ReleasesConfig["jupyterhub"],
  installed: readonly (readonly [urn: string, resource: StateResource])[],
): void {
  const outputs = installed.find(([urn]) => urn.endsWith(`::${HUB_RELEASE}`))?.[1].outputs;
  if (!hub || outputs?.["namespace"] !== hub.namespace || outputs["name"] === hub.releaseName) return;
  const expected = `${JSON.stringify(outputs["name"])}, by which it is installed, or another namespace`;
  throw new pulumi.RunError(
    `stackyard:jupyterhub.releaseName: found ${JSON.stringify(hub.releaseName)}; expected ${expected}. Nothing was changed.`,
  );
}
