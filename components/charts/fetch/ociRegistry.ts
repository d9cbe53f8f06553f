import { Refused, Unavailable } from "../../../foundation/net/errors";
import { readAll } from "../../../foundation/net/streams";
import { DIGEST } from "../../../foundation/registry/reference";
import { isObject } from "../../../foundation/json/isObject";
import { digestLike, Registry } from "../../../foundation/registry/registry";
import type { Credentials } from "../charts";
import { ARCHIVE_BYTES } from "./download";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CHART_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/** Fetches a chart archive from an OCI registry: `oci://host/path` has it as `path/<name>:<version>`. */
export async function fromOciRegistry(
  origin: string,
  name: string,
  version: string,
  credentials?: Credentials,
): Promise<Buffer> {
  const { host, pathname } = new URL(origin.replace(/^oci:/, "https:"));
  const repository = `${pathname.replace(/^\/+|\/+$/g, "")}/${name}`.replace(/^\//, "");
  const registry = new Registry({ registry: host, repository }, { trust: {}, ...(credentials && { credentials }) });
  // Tags can't contain the `+` of build metadata.
  const tag = version.replaceAll("+", "_");
  const place = `${host}/${repository}:${tag}`;
  const digest = layerIn((await registry.manifest(tag, [MANIFEST])).bytes, place);
  const bytes = await registry.withRetries(async () =>
    readAll((await registry.blob(digest)).body, ARCHIVE_BYTES, `the chart ${name}`),
  );
  const found = digestLike(digest, bytes);
  if (found === digest) return bytes;
  throw new Refused(`the chart in ${place} has the digest ${found}; expected ${digest}, as its manifest says`);
}

/** The digest of the layer that contains the chart. */
function layerIn(manifest: Buffer, place: string): string {
  let document: unknown;
  try {
    document = JSON.parse(manifest.toString("utf8"));
  } catch {
    throw new Unavailable(`${place} has a manifest that is no JSON`, false);
  }
  const { layers } = isObject(document) ? document : {};
  const layer = Array.isArray(layers)
    ? (layers as unknown[]).filter(isObject).find(({ mediaType }) => mediaType === CHART_LAYER)
    : undefined;
  if (layer === undefined) throw new Unavailable(`${place} is no Helm chart`, false);
  const { digest } = layer;
  if (typeof digest === "string" && DIGEST.test(digest)) return digest;
  throw new Refused(`${place} names a layer without a digest; expected sha256:…`);
}
