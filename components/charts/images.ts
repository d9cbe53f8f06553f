/** Images of upstream charts, and how all images of a stack come from one mirror. Pure. */

import { splitImage } from "../../foundation/registry/image";
import { mergeValues } from "./merge";
import { CHARTS, isTested, versionOf, type ChartName, type ChartVersions } from "./table";

/** The hosts that names without one mean, and their folder of images without a folder. */
const HUB = /^((index\.|registry-1\.)?docker\.io\/)/;

/**
 * The image on the mirror, below which it has the path that it has in its own registry: `quay.io/jupyterhub/k8s-hub:4.4.0` is
 * `<mirror>/jupyterhub/k8s-hub:4.4.0`. One that already exists stays as it is.
 */
export function onMirror(image: string, mirror: string | undefined): string {
  if (mirror === undefined || image.startsWith(`${mirror}/`)) return image;
  const bare = image.replace(HUB, "");
  const [first = "", ...rest] = bare.split("/");
  const hosted = rest.length > 0 && bare === image && (/[.:]/.test(first) || first === "localhost");
  if (hosted) return `${mirror}/${rest.join("/")}`;
  return `${mirror}/${rest.length === 0 ? `library/${bare}` : bare}`;
}

/** Where a chart's values say each of its images, and under which key the name stands. */
const PLACES: Readonly<Partial<Record<ChartName, Readonly<Record<string, readonly (readonly string[])[]>>>>> = {
  jupyterhub: {
    hub: [["hub", "image"]],
    proxy: [["proxy", "chp", "image"]],
    traefik: [["proxy", "traefik", "image"]],
    secretSync: [["proxy", "secretSync", "image"]],
    networkTools: [["singleuser", "networkTools", "image"]],
    userScheduler: [["scheduling", "userScheduler", "image"]],
    pause: [
      ["scheduling", "userPlaceholder", "image"],
      ["prePuller", "pause", "image"],
    ],
    imageAwaiter: [["prePuller", "hook", "image"]],
  },
  "aws-load-balancer-controller": { controller: [["image"]] },
  karpenter: { controller: [["controller", "image"]] },
  "ingress-nginx": {
    controller: [["controller", "image"]],
    certificates: [["controller", "admissionWebhooks", "patch", "image"]],
  },
  "external-dns": { dns: [["image"]] },
  "cert-manager": {
    controller: [["image"]],
    webhook: [["webhook", "image"]],
    cainjector: [["cainjector", "image"]],
    acmesolver: [["acmesolver", "image"]],
    startupCheck: [["startupapicheck", "image"]],
  },
  "metrics-server": { server: [["image"]] },
  "nvidia-device-plugin": { plugin: [["image"]] },
};

/** What charts call the name of an image without its tag. */
const nameKey = (chart: ChartName): string => (chart === "jupyterhub" ? "name" : "repository");

/** The KubeRay operator's image, whose tag is its chart's version. */
export const operatorImage = (versions?: ChartVersions): string =>
  CHARTS["kuberay-operator"].images.operator.replace(/:[^:]*$/, `:v${versionOf("kuberay-operator", versions)}`);

/**
 * Values that make a chart run its own images from the mirror; none without one. Tags of a version that is not tested are the
 * chart's own.
 */
export function mirrorValues(
  chart: ChartName,
  mirror: string | undefined,
  versions?: ChartVersions,
): Record<string, unknown> {
  let values: Record<string, unknown> = {};
  if (mirror === undefined) return values;
  const images: Readonly<Record<string, string>> = CHARTS[chart].images;
  for (const [role, places] of Object.entries(PLACES[chart] ?? {})) {
    const [name, tag] = splitImage(onMirror(images[role] ?? "", mirror));
    const image = { [nameKey(chart)]: name, ...(isTested(chart, versions) && { tag }) };
    for (const place of places) {
      values = mergeValues(values, place.reduceRight<object>((inner, key) => ({ [key]: inner }), image) as never);
    }
  }
  return values;
}
