import type { PlatformConfig } from "../config/platformConfig";
import { defaultImage } from "../ray/plan";
import { onMirror } from "./images";
import { CHARTS, type ChartName } from "./table";

/** An image that a stack runs. */
export interface ListedImage {
  /** Key of the config that it belongs to. */
  readonly component: string;
  /** What it is for. */
  readonly role: string;
  readonly image: string;
}

/** Every image that the components of a stack may run, each once for what it is for. Pure. */
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
  if (jupyterhub) {
    for (const [role, image] of chartImages("jupyterhub", config)) {
      if (role !== "notebook") add("jupyterhub", role, image);
    }
    add("jupyterhub", "notebook", jupyterhub.image);
    for (const [name, { image }] of Object.entries(jupyterhub.profiles)) add("jupyterhub", `profile ${name}`, image);
  }
  if (Object.values(ray).some(({ mode }) => mode === "kuberay")) {
    add("ray", "operator", rayOperator.image ?? CHARTS["kuberay-operator"].images.operator);
  }
  for (const [name, { image, rayVersion, head, workerGroups }] of Object.entries(ray)) {
    add("ray", name, image ?? defaultImage(rayVersion));
    add("ray", `${name} head`, head.image);
    for (const [group, pod] of Object.entries(workerGroups)) add("ray", `${name} ${group}`, pod.image);
  }
  add("teraslice", "master", teraslice?.image);
  add("teraslice", "jobs", teraslice?.teraslice.kubernetes_image);
  for (const [name, { settings }] of Object.entries(kubernetes)) {
    add("provisioners", name, `${settings.image}:<version of the deployment>`);
  }
  return found;
}

/** The images that a chart runs where nothing names others. */
export function chartImages(chart: ChartName, { images }: Pick<PlatformConfig, "images">): [string, string][] {
  return Object.entries(CHARTS[chart].images).map(([role, image]) => [role, onMirror(image, images.mirror)]);
}
