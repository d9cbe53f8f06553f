/** Confines users to the approved content of a bundle: the API server then accepts nothing else from them. */

import { shortHash } from "../../../foundation/digest";
import type { Json } from "../../../foundation/json/isObject";
import { ApiError, isNotFound } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { forAll } from "../../../kubernetes/client/pool";
import { inventoryKey, isCore, without, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { Refused } from "../../errors";
import { restricts } from "../../permissions/effects/effects";
import type { Instance } from "../approval";
import { tooOld } from "../guard";
import { CONTENT_LABEL } from "../definition";
import { CONFINEMENT, PLACE } from "./policies";

/** An object of the bundle as it is going to be applied. */
interface Applied {
  readonly object: KubeObject;
  readonly ref: Ref;
  /** Set if the bundle contains the object's kind or namespace. */
  readonly needs: "kind" | "namespace" | undefined;
}

const REVISION = { apiVersion: "apps/v1", kind: "ControllerRevision", namespace: PLACE };

/** etcd rejects objects that are larger than 1.5 MiB. */
const MOST_BYTES = 1_000_000;

/** From now on, the API server accepts only these objects from the users; without objects, nothing. */
export async function confine(
  client: Client,
  bundle: Instance,
  users: readonly string[],
  members: readonly Applied[],
): Promise<void> {
  try {
    for (const object of CONFINEMENT) await client.apply(object);
  } catch (error) {
    throw tooOld(error);
  }
  const contents = await forAll(members, async (one) => [inventoryKey(one.ref), await asStored(client, one)] as const);
  const about = {
    ...bundle,
    users: [...users],
    objects: members.map(({ ref }) => inventoryKey(ref)),
    keeps: members.flatMap(({ ref }) => (restricts(ref) ? [inventoryKey(ref)] : [])),
  };
  const set = Date.now().toString(36).padStart(9, "0");
  const labels = { [CONTENT_LABEL]: "true", [OF]: shortHash(`${bundle.namespace}/${bundle.name}`) };
  const parts = partsOf(contents);
  for (const [at, part] of parts.entries()) {
    await client.create({
      ...{ apiVersion: REVISION.apiVersion, kind: REVISION.kind },
      metadata: { name: `${labels[OF]}.${set}.${at}`, namespace: PLACE, labels },
      revision: Date.now(),
      data: { ...about, contents: Object.fromEntries(part) },
    });
  }
  await removeOlder(client, labels[OF]);
}

/** On ControllerRevisions: the bundle of their content. */
const OF = "stackyard.dev/approved-bundle";

/**
 * While there are several sets, the API server accepts only what all of them approve. Of two that are created at the
 * same time, both sides keep the one whose name is later.
 */
async function removeOlder(client: Client, of: string): Promise<void> {
  const all = await client.list(REVISION, { label: `${OF}=${of}`, metadataOnly: true });
  const setOf = ({ metadata: { name } }: KubeObject): string => name.slice(0, name.lastIndexOf("."));
  const newest = all.map(setOf).sort().at(-1);
  for (const one of all) {
    if (setOf(one) !== newest) await client.remove({ ...REVISION, name: one.metadata.name });
  }
}

/** Returns the object with all defaults, as the API server is going to store it. */
async function asStored(client: Client, { object, needs }: Applied): Promise<Json> {
  // Neither its defaults nor its values are known before the kind exists.
  const stored = needs === "kind" ? object : await dryRun(client, object);
  const { labels, annotations, finalizers, ownerReferences } = stored.metadata as Metadata;
  const content = without(stored, "metadata", "status");
  return {
    ...(isCore(stored, "Secret") ? without(content, "data", "stringData") : content),
    metadata: { labels, annotations, finalizers, ownerReferences },
  };
}

type Metadata = KubeObject["metadata"] & { readonly finalizers?: unknown; readonly ownerReferences?: unknown };

async function dryRun(client: Client, object: KubeObject): Promise<KubeObject> {
  const { metadata } = object;
  try {
    return await client.apply(object, { dryRun: true });
  } catch (error) {
    // The defaults are the same in any other namespace while its own is missing, or a quota of it is used up that the
    // bundle may raise or remove, and for a new object of another name while this one can't be changed, and will be recreated.
    if (!(error instanceof ApiError)) throw error;
    const isClosed = metadata.namespace !== undefined && (/exceeded quota/.test(error.message) || isNotFound(error));
    if (!isClosed && error.code !== 422) throw error;
    const other = isClosed ? { namespace: "default" } : { name: `${metadata.name.slice(0, 40)}-dry-run` };
    return client.apply({ ...object, metadata: { ...metadata, ...other } }, { dryRun: true });
  }
}

function partsOf(contents: readonly (readonly [string, Json])[]): (readonly [string, Json])[][] {
  const parts: (readonly [string, Json])[][] = [[]];
  let size = 0;
  for (const one of contents) {
    const length = Buffer.byteLength(JSON.stringify(one));
    if (length > MOST_BYTES)
      throw new Refused(
        `${one[0]} is too large to be approved for confined users: ${length} bytes of at most ${MOST_BYTES}`,
      );
    if (size + length > MOST_BYTES) [parts[parts.length], size] = [[], 0];
    parts.at(-1)?.push(one);
    size += length;
  }
  return parts;
}
