/** Disks that stay when the set that used them is deleted: claims with marks that say whose they were. */

import type { SetOwner } from "../owners/ownership";
import type { Work } from "../work/work";
import { ApiError, isNotFound } from "../client/apiError";
import type { Client } from "../client/client";
import { unlessForbidden } from "../client/lookUp";
import { describe, textAt, without, type KubeObject, refOf } from "../objects/objects";
import { forAll } from "../client/pool";
import { originOn } from "../identity/origin";
import { OWNER_ANNOTATION } from "../identity/ownerId";
import { CLAIM, capacityOf, requestedBytes } from "../claims/claims";
import { completeRename, renameClaim } from "./rename";

const KEPT_LABEL = "stackyard.dev/kept-disk";
const KEPT_SINCE = "stackyard.dev/kept-since";
/** `<namespace>/<set>` of the set that used it. */
const KEPT_FROM = "stackyard.dev/kept-from";
/** On a claim that a new set uses: the name under which the claim was kept. */
const REUSED = "stackyard.dev/reused-disk";

export interface KeptDisk {
  readonly namespace: string;
  /** Name of its claim. */
  readonly name: string;
  /** `<namespace>/<set>` of the set that used it. */
  readonly set: string;
  readonly deployment?: string;
  /** Platform stack: `organization/project/stack`. */
  readonly platform?: string;
  readonly provisioner?: string;
  /** When it was kept (RFC 3339). */
  readonly since: string;
  /** Capacity, or the requested size if it is not bound. */
  readonly bytes: number;
  readonly uid?: string;
}

export const isKept = ({ metadata }: KubeObject): boolean => metadata.labels?.[KEPT_LABEL] !== undefined;

/** The name under which a claim was kept that a new set uses; undefined if it never was. */
export const reusedFrom = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[REUSED];

/**
 * Marks claims that stay. They lose the id of their owner, which no longer exists. `objects`: those of the set, which
 * name the deployment.
 */
export async function markKept(
  { client, log }: Work,
  claims: readonly KubeObject[],
  owner: SetOwner,
  objects: readonly KubeObject[],
): Promise<void> {
  const origin = objects.map(originOn).find(({ deployment }) => deployment !== undefined) ?? {};
  const annotations = {
    [KEPT_SINCE]: new Date().toISOString(),
    [KEPT_FROM]: `${owner.namespace}/${owner.set}`,
    [OWNER_ANNOTATION]: null,
    [REUSED]: null,
    ...Object.fromEntries(Object.entries(origin).map(([key, value]) => [`stackyard.dev/${key}`, value])),
  };
  await forAll(claims, async (claim) => {
    const metadata = { uid: claim.metadata.uid, labels: { [KEPT_LABEL]: "true" }, annotations };
    try {
      await client.merge(refOf(claim), { metadata });
    } catch (error) {
      if (isNotFound(error)) return; // Deleted by somebody else meanwhile.
      if (!(error instanceof ApiError) || error.code !== 403) throw error;
      log("warning", `${describe(refOf(claim))} is kept, but not listed as a kept disk: ${error.message}`);
    }
  });
}

/** Kept disks of all namespaces, or of these if the user may not list all. Oldest first. */
export async function keptDisks(client: Client, namespaces: readonly string[]): Promise<KeptDisk[]> {
  const everywhere = await unlessForbidden(client.list(CLAIM, { label: KEPT_LABEL }));
  const found =
    everywhere ??
    (await forAll(namespaces, (namespace) => client.list({ ...CLAIM, namespace }, { label: KEPT_LABEL }))).flat();
  return found.map(diskOf).sort((a, b) => a.since.localeCompare(b.since));
}

/** Deletes a kept disk with its data; false if it is gone. Throws if a runtime uses it by now. */
export async function removeKept(client: Client, { namespace, name, uid }: KeptDisk): Promise<boolean> {
  const ref = { ...CLAIM, namespace, name };
  for (;;) {
    const claim = await client.get(ref);
    if (!claim || claim.metadata.uid !== uid || claim.metadata.deletionTimestamp !== undefined) return false;
    if (!isKept(claim)) throw new Error(`${describe(ref)} is no kept disk any more: a runtime uses it`);
    const { resourceVersion } = claim.metadata;
    if (await client.remove(ref, { uid, resourceVersion })) return true;
  }
}

function diskOf(claim: KubeObject): KeptDisk {
  const { name, namespace = "", annotations = {}, uid } = claim.metadata;
  return {
    namespace,
    name,
    set: annotations[KEPT_FROM] ?? "",
    ...originOn(claim),
    since: annotations[KEPT_SINCE] ?? "",
    bytes: capacityOf(claim) ?? requestedBytes(claim) ?? 0,
    uid,
  };
}

/** Begins the name of a claim that was renamed. */
const ASIDE = "kept-";

/** The name of a kept claim once a new one has its name. The same for repeated calls. */
export const asideName = ({ metadata: { name, uid = "" } }: KubeObject): string =>
  name.startsWith(ASIDE) ? name : `${ASIDE}${uid.slice(0, 8)}-${name}`.slice(0, 253);

/** Renames kept claims, so that a new set gets new claims of their names. */
export async function setAside(site: Work, claims: readonly KubeObject[]): Promise<void> {
  await forAll(claims, async (claim) => {
    const { labels, annotations } = claim.metadata;
    const marks = { labels, annotations: ours(annotations) };
    const name = asideName(claim);
    if (textAt(claim, "spec", "volumeName") === undefined) {
      await site.client.remove(refOf(claim), { uid: claim.metadata.uid }); // Never bound, so there is no data.
      return;
    }
    await renameClaim(site, claim, name, marks);
    site.log("info", `kept ${describe(refOf(claim))} as ${name}`);
  });
}

/** Gives a kept claim the name that a new set expects, without the marks, or completes that. */
export async function reuseDisk(site: Work, claim: KubeObject, name: string): Promise<void> {
  if (!isKept(claim)) return completeRename(site, claim);
  const former = claim.metadata.name;
  if (former === name) {
    const annotations = { [KEPT_SINCE]: null, [KEPT_FROM]: null, [REUSED]: former };
    await site.client.merge(refOf(claim), { metadata: { labels: { [KEPT_LABEL]: null }, annotations } });
    return;
  }
  const labels = without(claim.metadata.labels ?? {}, KEPT_LABEL) as Record<string, string>;
  await renameClaim(site, claim, name, { labels, annotations: { [REUSED]: former } });
}

/** Kept claims of a namespace. */
export const keptClaims = (client: Client, namespace: string): Promise<KubeObject[]> =>
  client.list({ ...CLAIM, namespace }, { label: KEPT_LABEL });

/** Whether a kept claim was renamed. */
export const isAside = (claim: KubeObject): boolean => isKept(claim) && claim.metadata.name.startsWith(ASIDE);

const ours = (annotations: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(annotations).filter(([key]) => key.startsWith("stackyard.dev/")));
