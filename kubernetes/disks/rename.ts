/**
 * Gives the volume of a claim another claim, because Kubernetes can't rename one. May be interrupted at any point and
 * repeated: the new claim exists before the old one is deleted, and the volume is retained meanwhile.
 */

import { lacksRight } from "../client/apiError";
import { at, describe, textAt, type KubeObject, type Ref, refOf } from "../objects/objects";
import { isObject } from "../../foundation/json/isObject";
import { until, type Work } from "../work/work";
import { untilGone } from "../work/gone";
import { CLAIM } from "../claims/claims";

/** On a volume during the change: its former reclaim policy. */
const FORMER_POLICY = "stackyard.dev/reclaim-policy";

/** Fields of a claim that bind a claim to the same volume. */
const BINDING = ["accessModes", "resources", "storageClassName", "volumeMode", "volumeName", "selector"] as const;

type Marks = Pick<KubeObject["metadata"], "labels" | "annotations">;

/** Returns the new claim when it is bound. The claim must be bound, and no pod may use it. */
export async function renameClaim(site: Work, claim: KubeObject, name: string, marks: Marks): Promise<KubeObject> {
  const volume = textAt(claim, "spec", "volumeName");
  const ref = refOf(claim);
  if (volume === undefined) throw new Error(`${describe(ref)} has no volume, so it can't be renamed; delete it`);
  await retain(site, volume);
  const next = await site.client.apply(claimFor(claim, name, marks));
  await site.client.remove(ref, { uid: claim.metadata.uid });
  await untilGone(site, [claim]);
  return bind(site, next, volume);
}

/** Completes a change that was interrupted after its new claim had been created. */
export async function completeRename(site: Work, claim: KubeObject): Promise<void> {
  const volume = textAt(claim, "spec", "volumeName");
  if (volume === undefined || textAt(claim, "status", "phase") === "Bound") return;
  const former = at(await site.client.get(volumeRef(volume)), "spec", "claimRef");
  const name = textAt(former, "name");
  const old = name === undefined ? undefined : await site.client.get({ ...refOf(claim), name });
  const isFormer =
    old !== undefined && old.metadata.uid === textAt(former, "uid") && old.metadata.uid !== claim.metadata.uid;
  if (isFormer) {
    await site.client.remove(refOf(old), { uid: old.metadata.uid });
    await untilGone(site, [old]);
  }
  await bind(site, claim, volume);
}

function claimFor(claim: KubeObject, name: string, { labels, annotations }: Marks): KubeObject {
  const spec = isObject(claim["spec"]) ? claim["spec"] : {};
  const kept = Object.fromEntries(Object.entries(spec).filter(([key]) => (BINDING as readonly string[]).includes(key)));
  const { namespace } = claim.metadata;
  return { ...CLAIM, metadata: { name, namespace, labels, annotations }, spec: kept };
}

async function retain(site: Work, volume: string): Promise<void> {
  const live = await permitted(volume, site.client.get(volumeRef(volume)));
  const policy = textAt(live, "spec", "persistentVolumeReclaimPolicy") ?? "Delete";
  const former = textAt(live, "metadata", "annotations", FORMER_POLICY) ?? policy;
  const patch = {
    metadata: { annotations: { [FORMER_POLICY]: former } },
    spec: { persistentVolumeReclaimPolicy: "Retain" },
  };
  await permitted(volume, site.client.merge(volumeRef(volume), patch));
}

/** Hands the volume over to the claim, waits until it is bound, and restores the reclaim policy. */
async function bind(site: Work, claim: KubeObject, volume: string): Promise<KubeObject> {
  const { namespace, name, uid } = claim.metadata;
  const ref = refOf(claim);
  const claimRef = { ...CLAIM, namespace, name, uid, resourceVersion: null, fieldPath: null };
  await permitted(volume, site.client.merge(volumeRef(volume), { spec: { claimRef } }));
  const bound = await until(
    site,
    async () => {
      const live = await site.client.get(ref);
      return live && textAt(live, "status", "phase") === "Bound" ? live : undefined;
    },
    () => Promise.resolve(new Error(`${describe(ref)} is not bound to volume ${volume} yet; run the command again`)),
  );
  const live = await site.client.get(volumeRef(volume));
  const former = textAt(live, "metadata", "annotations", FORMER_POLICY);
  if (former !== undefined) {
    const spec = { persistentVolumeReclaimPolicy: former };
    await site.client.merge(volumeRef(volume), { metadata: { annotations: { [FORMER_POLICY]: null } }, spec });
  }
  return bound;
}

const volumeRef = (name: string): Ref => ({ apiVersion: "v1", kind: "PersistentVolume", name });

/** Names the right that a user lacks. */
async function permitted<T>(volume: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!lacksRight(error)) throw error;
    const right = "a ClusterRole with get and patch on persistentvolumes";
    throw new Error(`${error.message}. To keep the disk ${volume} under another name, its user needs ${right}`, {
      cause: error,
    });
  }
}
