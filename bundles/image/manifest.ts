/** Manifests and indexes of images: OCI's, and docker's schema 2. */

import { Refused } from "../errors";
import { LIMITS, mib } from "../limits";
import { DIGEST } from "../../foundation/registry/reference";
import { isObject, type Json } from "../../foundation/json/isObject";

/** OCI media types, for images that we create. */
export const OCI = {
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};

const INDEXES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const MANIFESTS = [OCI.manifest, "application/vnd.docker.distribution.manifest.v2+json"];
export const ACCEPTED = [...MANIFESTS, ...INDEXES];

const CONFIGS = [OCI.config, "application/vnd.docker.container.image.v1+json"];
const LAYERS =
  /^application\/vnd\.(oci\.image\.layer\.v1\.tar(\+gzip|\+zstd)?|docker\.image\.rootfs\.diff\.tar(\.gzip)?|cncf\.flux\.content\.v1\.tar\+gzip|cncf\.helm\.chart\.content\.v1\.tar\+gzip)$/;

/** A provenance file that `helm push` adds to a chart. */
const PROVENANCE = "application/vnd.cncf.helm.chart.provenance.v1.prov";

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface Child extends Descriptor {
  /** `linux/amd64`, `linux/arm/v7`; undefined if not set. */
  readonly platform: string | undefined;
}

type ImageManifest =
  | { readonly kind: "index"; readonly children: readonly Child[] }
  | { readonly kind: "image"; readonly config: Descriptor | undefined; readonly layers: readonly Descriptor[] };

/** Throws {@link Refused} for neither, and for a document that could be read as both. */
export function parseManifest(bytes: Buffer, contentType: string): ImageManifest {
  const value = parseJson(bytes, "the manifest");
  const { mediaType = contentType, manifests, layers } = value;
  const refuse = (what: string): never => {
    throw new Refused(`the manifest ${what}; expected an image or an index of OCI, or of docker's schema 2`);
  };
  if (
    typeof mediaType !== "string" ||
    (contentType !== "" && ACCEPTED.includes(contentType) && mediaType !== contentType)
  ) {
    refuse(`calls itself ${JSON.stringify(mediaType).slice(0, 100)} and is sent as ${contentType}`);
  }
  if (value["schemaVersion"] !== 2)
    refuse(`has the schema version ${JSON.stringify(value["schemaVersion"] ?? null).slice(0, 20)}`);
  if (Array.isArray(manifests) === Array.isArray(layers)) refuse("has layers and other manifests, or neither");
  if (Array.isArray(manifests)) {
    if (!INDEXES.includes(mediaType as string))
      refuse(`is an index and calls itself ${JSON.stringify(mediaType).slice(0, 100)}`);
    return { kind: "index", children: manifests.slice(0, 1000).flatMap(childOf) };
  }
  if (!MANIFESTS.includes(mediaType as string))
    refuse(`is an image and calls itself ${JSON.stringify(mediaType).slice(0, 100)}`);
  return imageOf(value, layers as unknown[]);
}

function imageOf(value: Json, layers: readonly unknown[]): ImageManifest {
  if (layers.length > LIMITS.layers) throw new Refused(`the image has more than ${LIMITS.layers} layers`);
  const found = layers.flatMap((layer) => {
    const descriptor = descriptorOf(layer, "a layer");
    if (descriptor.mediaType === PROVENANCE) return [];
    if (isObject(layer) && layer["urls"] !== undefined)
      throw new Refused(
        "the image has a layer that lies elsewhere (urls); expected layers that the registry has itself",
      );
    if (!LAYERS.test(descriptor.mediaType)) {
      const type = JSON.stringify(descriptor.mediaType).slice(0, 100);
      throw new Refused(
        `the image has a layer of type ${type}; expected a tar, tar.gz or tar.zst that the registry has itself`,
      );
    }
    return [descriptor];
  });
  const total = found.reduce((sum, { size }) => sum + size, 0);
  if (total > LIMITS.archiveBytes) throw new Refused(`the image's layers have more than ${mib(LIMITS.archiveBytes)}`);
  const config = isObject(value["config"]) ? descriptorOf(value["config"], "the config") : undefined;
  return { kind: "image", config: config && CONFIGS.includes(config.mediaType) ? config : undefined, layers: found };
}

export function parseJson(bytes: Buffer, what: string): Json {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Refused(`${what} is no JSON object`);
}

function descriptorOf(value: unknown, what: string): Descriptor {
  const { mediaType, digest, size } = isObject(value) ? value : {};
  if (
    typeof mediaType === "string" &&
    typeof digest === "string" &&
    DIGEST.test(digest) &&
    Number.isSafeInteger(size) &&
    Number(size) >= 0
  ) {
    return { mediaType, digest, size: Number(size) };
  }
  throw new Refused(`${what} of the image is described without a type, a digest of sha256 or sha512, or a size`);
}

function childOf(value: unknown): Child[] {
  const descriptor = descriptorOf(value, "a child");
  const { platform, annotations } = value as Json;
  // Attestations and the like are listed next to their images.
  if (isObject(annotations) && annotations["vnd.docker.reference.type"] !== undefined) return [];
  const { os, architecture, variant } = isObject(platform) ? platform : {};
  const parts = [os, architecture, variant].filter((part) => typeof part === "string" && part !== "");
  if (parts[0] === "unknown") return [];
  return [{ ...descriptor, platform: parts.length === 0 ? undefined : parts.join("/") }];
}

/**
 * Chooses the entry for a platform. Bundles are data, so without a platform any deterministic choice works:
 * linux/amd64, or the only one.
 */
export function choose(children: readonly Child[], platform: string | undefined): Child {
  const matches = (wanted: string): Child | undefined =>
    children.find((child) => child.platform === wanted) ??
    children.find((child) => child.platform?.startsWith(`${wanted}/`));
  const found =
    platform === undefined
      ? (matches("linux/amd64") ?? (children.length === 1 ? children[0] : undefined))
      : matches(platform);
  if (found !== undefined) return found;
  const there = children.map((child) => child.platform ?? "one that says nothing").join(", ");
  throw new Refused(
    `the index has no image for ${platform ?? "linux/amd64"}; it has ${there.slice(0, 500) || "none at all"}; set platform`,
  );
}
