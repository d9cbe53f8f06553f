/** Images of upstream charts, and their location on a mirror. Pure. */

import { isObject } from "../../foundation/json/isObject";
import { mergeValues, type Values } from "../../foundation/json/merge";
import { splitImage } from "../../foundation/registry/image";
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

/** Where images come from. */
export interface ImagePlace {
  /** Registry that replaces the registry of every image. Default: the upstream registries. */
  readonly mirror?: string;
  /** Recorded digests by image as upstream, with its tag. Default: none. */
  readonly digests?: Readonly<Record<string, string>>;
}

/** An image with its recorded digest, on the mirror. */
export function placed(image: string, { mirror, digests = {} }: ImagePlace): string {
  const digest = Object.hasOwn(digests, image) ? digests[image] : undefined;
  return onMirror(digest === undefined ? image : `${image}@${digest}`, mirror);
}

/**
 * Values that make a chart run its own images from their place; empty if that is upstream. Tags of an untested version
 * are left to the chart.
 */
export function imageValues(chart: ChartName, place: ImagePlace, versions?: ChartVersions): Values {
  return valuesOfImages(chart, versions, (image) => {
    const found = placed(image, place);
    return found === image ? undefined : found;
  });
}

function valuesOfImages(
  chart: ChartName,
  versions: ChartVersions | undefined,
  of: (image: string) => string | undefined,
): Values {
  let values: Values = {};
  const { images, paths = {}, nameKey = "repository", hasDigests }: ChartEntry = CHARTS[chart];
  for (const [role, places] of Object.entries(paths)) {
    const found = of(images[role] ?? "");
    if (found === undefined) continue;
    const [plain = "", digest] = hasDigests ? found.split("@") : [found];
    const [name, tag] = splitImage(isTested(chart, versions) ? plain : plain.replace(/@.*/, ""));
    const image = {
      [nameKey]: name,
      ...(isTested(chart, versions) && { tag, ...(digest !== undefined && { digest }) }),
    };
    for (const place of places) {
      values = mergeValues(values, place.reduceRight<object>((inner, key) => ({ [key]: inner }), image) as never);
    }
  }
  return values;
}

type Replace = (image: string, path: readonly string[]) => string;

const isText = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || typeof value === "number";

/** Replaces the images in Helm values: texts and objects with a name at keys that end in `image`. */
function replaceImages(value: unknown, replace: Replace, path: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one, index) => replaceImages(one, replace, [...path, String(index)]));
  const isImage = /image$/i.test(path.at(-1) ?? "");
  if (typeof value === "string") return isImage && value !== "" ? replace(value, path) : value;
  if (!isObject(value)) return value;
  const nameKey = isImage ? ["repository", "name"].find((key) => isText(value[key])) : undefined;
  if (nameKey !== undefined) return replacedImage(value, nameKey, (image) => replace(image, path));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replaceImages(one, replace, [...path, key])]),
  );
}

function replacedImage(value: Values, nameKey: string, replace: (image: string) => string): Values {
  const { registry, tag, digest } = value;
  const version = `${isText(tag) ? `:${tag}` : ""}${isText(digest) ? `@${digest}` : ""}`;
  const before = `${[registry, value[nameKey]].filter(isText).join("/")}${version}`;
  const after = replace(before);
  if (after === before) return value;
  // A recorded digest becomes the tag, as charts join the two by a colon.
  const [name, newTag] = after.endsWith(version)
    ? [after.slice(0, after.length - version.length), tag]
    : splitImage(after);
  const slash = isText(registry) ? name.indexOf("/") : -1;
  return {
    ...value,
    ...(slash >= 0 && { registry: name.slice(0, slash) }),
    [nameKey]: name.slice(slash + 1),
    ...(newTag !== undefined && { tag: newTag }),
  };
}

/** A user's Helm values with their images in their place. */
export const placedValues = (values: Values, place: ImagePlace): Values =>
  replaceImages(values, (image) => placed(image, place)) as Values;

/** Images that a chart runs, by default and with the user's values, for the list of a component's images. */
export function chartImages(
  component: string,
  chart: ChartName,
  { images, charts: { versions } }: { readonly images: ImagePlace; readonly charts: Pick<ChartsConfig, "versions"> },
  values: Values = {},
): ListedImage[] {
  const { paths = {}, images: own }: ChartEntry = CHARTS[chart];
  const roles = new Map(
    Object.entries(paths).flatMap(([role, places]) => places.map((place) => [place.join("."), role] as const)),
  );
  const all = valuesOfImages(chart, versions, (image) => placed(image, images));
  const found = new Map<string, ListedImage>();
  const add = (role: string, image: string): void => {
    // The tags of an untested version are known only from its archive.
    const isWhole = /[:@][^/]*$/.test(image);
    const listed = isWhole ? image : `${image}:<of the chart ${versionOf(chart, versions)}>`;
    found.set(`${role} ${listed}`, { component, role, image: listed });
  };
  for (const [role, image] of Object.entries(own)) {
    if (role in paths) continue;
    add(role, placed(isTested(chart, versions) ? image : splitImage(image)[0], images));
  }
  replaceImages(mergeValues(all, values), (image, path) => {
    add(roles.get(path.join(".")) ?? path.join("."), image);
    return image;
  });
  return [...found.values()];
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

/** A component's settings or pod with its image in its place. */
export const mirrored = <T extends { readonly image?: string }>(one: T, place: ImagePlace): T =>
  one.image === undefined ? one : { ...one, image: placed(one.image, place) };

/** Containers as in Kubernetes, with their images in their place. */
export const mirroredContainers = <T extends Values>(containers: readonly T[], place: ImagePlace): T[] =>
  containers.map((one) => {
    const { image } = one;
    return typeof image === "string" ? { ...one, image: placed(image, place) } : one;
  });

/** The images of containers as in Kubernetes, each with the name of its container. */
export const containerImages = (
  containers: readonly Readonly<Record<string, unknown>>[],
): { readonly name: string; readonly image: string }[] =>
  containers.flatMap(({ name, image }) => (typeof image === "string" ? [{ name: String(name), image }] : []));
