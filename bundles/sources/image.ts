/** An image in a registry. */

import type { SourceOf } from "../../foundation/bundleSources";
import { isNotFound } from "../../kubernetes/client/apiError";
import { type KubeObject, textAt } from "../../kubernetes/objects/objects";
import type { Room } from "../archive/decompress";
import { readAll } from "../../foundation/net/streams";
import { Refused, Unavailable } from "../errors";
import { credentialsIn, ownCredentials } from "../image/credentials";
import { applyLayer, readLayer } from "../image/layers";
import { ACCEPTED, choose, parseJson, parseManifest, type Descriptor } from "../image/manifest";
import { describeReference, onMirror, parseReference, type Repository } from "../../foundation/registry/reference";
import { digestLike, Registry } from "../../foundation/registry/registry";
import { LIMITS } from "../limits";
import { TreeBuilder } from "../tree/builder";
import { cleanDirectory } from "../tree/paths";
import type { FileTree } from "../tree/tree";
import { inCluster, isName } from "./inCluster";
import type { SourceAccess, SourceKind } from "./kind";

/** Pull secrets of Kubernetes: credentials for registries. */
export type PullSecret = NonNullable<SourceOf<"image">["pullSecret"]>;

/** Key of the config file by type of the Secret. */
const KEYS: Readonly<Record<string, string>> = {
  "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
  "kubernetes.io/dockercfg": ".dockercfg",
};

/** Returns the docker config in the Secret. */
async function readPullSecret(secret: PullSecret, signal: AbortSignal | undefined): Promise<string> {
  const { namespace, name } = secret;
  const title = `pullSecret: Secret ${namespace}/${name}`;
  if (!isName(namespace) || !isName(name)) {
    throw new Refused(`pullSecret: found ${JSON.stringify(`${namespace}/${name}`)}; expected a namespace and a name`);
  }
  return inCluster(secret, signal, async (client) => {
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    const found = await client.json<KubeObject>(`read Secret ${namespace}/${name}`, path).catch((error: unknown) => {
      if (isNotFound(error)) throw new Unavailable(`${title} is not there`, false);
      throw error;
    });
    const type = textAt(found, "type") ?? "nothing";
    const config = textAt(found, "data", KEYS[type] ?? "");
    if (config !== undefined) return Buffer.from(config, "base64").toString("utf8");
    throw new Refused(`${title} is of type ${type}; expected ${Object.keys(KEYS).join(" or ")}`);
  });
}

export type ImageSource = SourceOf<"image">;

/** Maximum depth of nested indexes. */
const DEPTH = 4;

export const imageSource: SourceKind<ImageSource> = {
  describe: ({ ref }) => describeReference(parseReference(ref)),
  cacheKey: ({ directory, platform }) => ({ type: "image", platform, directory: cleanDirectory(directory) }),
  resolve: async (source, access) => {
    const { digest, tag = "latest" } = parseReference(source.ref);
    if (digest !== undefined) return { digest };
    return { digest: (await fromAny(source, access, (registry) => registry.manifest(tag, ACCEPTED))).digest };
  },
  fetch: (source, digest, access) => fromAny(source, access, (registry) => pull(registry, source, digest, access)),
};

/** Tries the mirrors and then the registry. An error about the content itself is final. */
async function fromAny<T>(
  source: ImageSource,
  access: SourceAccess,
  work: (registry: Registry) => Promise<T>,
): Promise<T> {
  const origin = parseReference(source.ref);
  const places: Repository[] = [...(source.mirrors ?? []).map((mirror) => onMirror(mirror, origin)), origin];
  const troubles: Unavailable[] = [];
  const dockerConfig = await dockerConfigOf(source, access);
  for (const [index, place] of places.entries()) {
    const { plainHttp } = source;
    // No retries if there is another location to try.
    const tries = index < places.length - 1 ? 1 : undefined;
    const credentials = dockerConfig === undefined ? await ownCredentials(place) : credentialsIn(dockerConfig, place);
    try {
      return await work(new Registry(place, { trust: source, plainHttp, credentials, signal: access.signal, tries }));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      troubles.push(error);
    }
  }
  throw new Unavailable(
    troubles.map(({ message }) => message).join("; "),
    troubles.some(({ passing }) => passing),
  );
}

async function dockerConfigOf(
  { dockerConfig, pullSecret }: ImageSource,
  { signal }: SourceAccess,
): Promise<string | undefined> {
  return pullSecret === undefined ? dockerConfig : readPullSecret(pullSecret, signal);
}

async function pull(registry: Registry, source: ImageSource, digest: string, access: SourceAccess): Promise<FileTree> {
  const { config, layers } = await imageOf(registry, digest, source.platform);
  const diffIds = config && (await diffIdsOf(registry, config, layers.length));
  const builder = new TreeBuilder({ directory: cleanDirectory(source.directory), keep: access.keep, image: true });
  const room: Room = { unpacked: 0 };
  for (const [index, descriptor] of layers.entries()) {
    const before = room.unpacked;
    const layer = await registry.withRetries(async () => {
      room.unpacked = before;
      const { body } = await registry.blob(descriptor.digest);
      try {
        return await readLayer(body, descriptor, diffIds?.[index], builder, room);
      } finally {
        body.destroy();
      }
    });
    applyLayer(layer, builder);
  }
  return builder.build();
}

async function imageOf(registry: Registry, digest: string, platform: string | undefined) {
  let wanted = digest;
  for (let depth = 0; depth <= DEPTH; depth++) {
    const { bytes, type } = await registry.manifest(wanted, ACCEPTED);
    const manifest = parseManifest(bytes, type);
    if (manifest.kind === "image") return manifest;
    wanted = choose(manifest.children, platform).digest;
  }
  throw new Refused(`the index has indexes in it more than ${DEPTH} deep`);
}

/** Digests of the unpacked layers from the image's config; undefined for artifacts without them. */
async function diffIdsOf(registry: Registry, { digest }: Descriptor, layers: number): Promise<string[] | undefined> {
  const bytes = await registry.withRetries(async () =>
    readAll((await registry.blob(digest)).body, LIMITS.answerBytes, "the image's config"),
  );
  const found = digestLike(digest, bytes);
  if (found !== digest) throw new Refused(`the image's config has the digest ${found}; expected ${digest}`);
  const { rootfs } = parseJson(bytes, "the image's config") as { rootfs?: { diff_ids?: unknown } };
  const ids = rootfs?.diff_ids;
  if (!Array.isArray(ids)) return undefined;
  if (ids.length === layers && ids.every((id) => typeof id === "string")) return ids;
  throw new Refused(`the image's config describes ${ids.length} layers; expected ${layers}, as its manifest has`);
}
