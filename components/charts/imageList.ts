import type { PlatformConfig } from "../platform/config/platformConfig";
import { defaultImage, type PodExtras } from "../ray/clusters";
import { onMirror, operatorImage } from "./images";
import { CHARTS, isTested, versionOf, type ChartName } from "./table";

/** An image that a stack runs. */
export interface ListedImage {
  /** Config key of its component. */
  readonly component: string;
  /** Purpose of the image. */
  readonly role: string;
  readonly image: string;
}

/** Lists every image that the components of a stack may run, once per purpose. Pure. */
export function imagesOf(config: PlatformConfig): ListedImage[] {
  const { jupyterhub, ray = {}, rayOperator, clusterAutoscaler, teraslice, kubernetes } = config;
  const found: ListedImage[] = [];
  const add = (component: string, role: string, image: string | undefined): void => {
    if (image !== undefined) found.push({ component, role, image });
  };
  if (clusterAutoscaler) {
    const { repository, tag } = clusterAutoscaler.image;
    add("clusterAutoscaler", "autoscaler", `${repository}:${tag}`);
  }
  for (const { chart, component } of config.charts.wanted) {
    if (!/^(ingress\.|(gpuDevicePlugin|metricsServer)$)/.test(component)) continue;
    for (const [role, image] of chartImages(chart, config)) add(component, role, image);
  }
  if (jupyterhub) {
    for (const [role, image] of chartImages("jupyterhub", config)) {
      if (role !== "notebook") add("jupyterhub", role, image);
    }
    add("jupyterhub", "notebook", jupyterhub.image);
    for (const [name, { image }] of Object.entries(jupyterhub.profiles)) add("jupyterhub", `profile ${name}`, image);
  }
  if (Object.values(ray).some(({ mode }) => mode === "kuberay")) {
    add("ray", "operator", rayOperator.image ?? operatorImage(config.charts.versions));
  }
  const beside = (pods: string, { initContainers, containers }: PodExtras): void => {
    for (const { name, image } of [...initContainers, ...containers]) {
      if (typeof image === "string") add("ray", `${pods}: ${name}`, image);
    }
  };
  for (const [name, cluster] of Object.entries(ray)) {
    add("ray", name, cluster.image ?? defaultImage(cluster.rayVersion));
    beside(name, cluster);
    for (const [kind, pod] of Object.entries({ head: cluster.head, ...cluster.workerGroups })) {
      add("ray", `${name} ${kind}`, pod.image);
      beside(`${name} ${kind}`, pod);
    }
  }
  const masters = Object.entries(config.terasliceClusters).map(([name, one]) => [`${name} `, one] as const);
  for (const [name, one] of [...(teraslice ? [["", teraslice] as const] : []), ...masters]) {
    const component = name === "" ? "teraslice" : "terasliceClusters";
    add(component, `${name}master`, one.image);
    add(component, `${name}jobs`, one.teraslice.kubernetes_image);
    for (const { image } of [...one.master.initContainers, ...one.master.containers]) {
      if (typeof image === "string") add(component, `${name}master beside`, image);
    }
    for (const { image } of one.worker.initContainers) {
      if (typeof image === "string") add(component, `${name}jobs beside`, image);
    }
  }
  add("service", "service", config.service?.image);
  for (const [name, { settings }] of Object.entries(kubernetes)) {
    add("provisioners", name, `${settings.image}:<version of the deployment>`);
  }
  return found;
}

/** Images that a chart runs by default. */
export function chartImages(
  chart: ChartName,
  { images, charts: { versions } }: Pick<PlatformConfig, "images" | "charts">,
): [string, string][] {
  // The tags of an untested version are known only from its archive.
  const tag = isTested(chart, versions) ? undefined : `:<of the chart ${versionOf(chart, versions)}>`;
  return Object.entries(CHARTS[chart].images).map(([role, image]) => {
    const found = onMirror(image, images.mirror);
    return [role, tag === undefined ? found : found.replace(/:[^:/]*$/, tag)];
  });
}
