/** Images of upstream charts, and their location on a mirror. Pure. */

import { splitImage } from "../../foundation/registry/image";
import { mergeValues } from "../../foundation/json/merge";
import type { ChartsConfig } from "./charts";
import { originOf } from "./fetch/fetch";
import { CHARTS, isTested, versionOf, type ChartEntry, type ChartName, type ChartVersions } from "./table";

/** An image that a stack runs. */
export interface ListedImage {
  /** Config key of its component. */
  readonly component: string;
  /** Purpose of the image. */
  readonly role: string;
  readonly image: string;
}

/** Hosts of Docker Hub. It is the default registry, and `library` its default folder. */
const HUB = /^((index\.|registry-1\.)?docker\.io\/)/;

/**
 * Rewrites an image to the mirror, keeping its path: `quay.io/jupyterhub/k8s-hub:4.4.0` becomes
 * `<mirror>/jupyterhub/k8s-hub:4.4.0`. Returns an image that is already on the mirror unchanged.
 */
export function onMirror(image: string, mirror: string | undefined): string {
  if (mirror === undefined || image.startsWith(`${mirror}/`)) return image;
  const bare = image.replace(HUB, "");
  const [first = "", ...rest] = bare.split("/");
  const hosted = rest.length > 0 && bare === image && (/[.:]/.test(first) || first === "localhost");
  if (hosted) return `${mirror}/${rest.join("/")}`;
  return `${mirror}/${rest.length === 0 ? `library/${bare}` : bare}`;
}

/** The KubeRay operator's image. Its tag is the version of its chart. */
export const operatorImage = (versions?: ChartVersions): string =>
  CHARTS["kuberay-operator"].images.operator.replace(/:[^:]*$/, `:v${versionOf("kuberay-operator", versions)}`);

/**
 * Values that make a chart run its own images from the mirror; empty without a mirror. Tags of an untested version are
 * left to the chart.
 */
export function mirrorValues(
  chart: ChartName,
  mirror: string | undefined,
  versions?: ChartVersions,
): Record<string, unknown> {
  let values: Record<string, unknown> = {};
  if (mirror === undefined) return values;
  const { images, paths = {}, nameKey = "repository" }: ChartEntry = CHARTS[chart];
  for (const [role, places] of Object.entries(paths)) {
    const [name, tag] = splitImage(onMirror(images[role] ?? "", mirror));
    const image = { [nameKey]: name, ...(isTested(chart, versions) && { tag }) };
    for (const place of places) {
      values = mergeValues(values, place.reduceRight<object>((inner, key) => ({ [key]: inner }), image) as never);
    }
  }
  return values;
}

/** Images that a chart runs by default, for the list of a component's images. */
export function chartImages(
  component: string,
  chart: ChartName,
  { images, charts: { versions } }: { readonly images: { readonly mirror?: string }; readonly charts: ChartsConfig },
): ListedImage[] {
  // The tags of an untested version are known only from its archive.
  const tag = isTested(chart, versions) ? undefined : `:<of the chart ${versionOf(chart, versions)}>`;
  return Object.entries(CHARTS[chart].images).map(([role, image]) => {
    const found = onMirror(image, images.mirror);
    return { component, role, image: tag === undefined ? found : found.replace(/:[^:/]*$/, tag) };
  });
}

/** The charts that a stack fetches, where they come from: `registry.example.com/charts/jupyterhub:4.4.0`. */
export const listedCharts = ({ mirror, versions, wanted }: ChartsConfig): ListedImage[] =>
  [...new Map(wanted.map((one) => [one.chart, one]))].map(([chart, { component }]) => {
    const origin = originOf(chart, mirror)
      .replace(/^oci:\/\//, "")
      .replace(/\/$/, "");
    // Tags can't contain the `+` of build metadata.
    return { component, role: "chart", image: `${origin}/${chart}:${versionOf(chart, versions).replaceAll("+", "_")}` };
  });

/** A component's settings or pod with its image on the mirror. */
export const mirrored = <T extends { readonly image?: string }>(one: T, mirror: string | undefined): T =>
  one.image === undefined ? one : { ...one, image: onMirror(one.image, mirror) };

/** Containers as in Kubernetes, with their images on the mirror. */
export const mirroredContainers = <T extends Readonly<Record<string, unknown>>>(
  containers: readonly T[],
  mirror: string | undefined,
): T[] =>
  containers.map((one) => {
    const { image } = one;
    return typeof image === "string" ? { ...one, image: onMirror(image, mirror) } : one;
  });

/** The images of containers as in Kubernetes, each with the name of its container. */
export const containerImages = (
  containers: readonly Readonly<Record<string, unknown>>[],
): { readonly name: string; readonly image: string }[] =>
  containers.flatMap(({ name, image }) => (typeof image === "string" ? [{ name: String(name), image }] : []));
