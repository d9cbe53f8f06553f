import type { Platform } from "../../components/runtime/platform/platform";
import type { KubernetesProvisioner } from "../../components/runtime/types/kubernetes/spec";
import { clusterUid } from "../../kubernetes/identity/clusterUid";
import { ownerIdOn } from "../../kubernetes/identity/ownerId";
import type { Client } from "../../kubernetes/client/client";
import { describe, inventoryKey, type KubeObject, refOf } from "../../kubernetes/objects/objects";
import { capacityOf, claimsOf, isClaim, isStatefulSet, requestedBytes } from "../../kubernetes/claims/claims";
import { claimsLostBySet } from "../../kubernetes/remove/setLosses";
import { markedAnywhere } from "../../kubernetes/remove/marked";
import { offerSeen, readOwner, recordRef } from "../../kubernetes/owners/store";
import { SET_LABEL, SET_NAMESPACE_LABEL } from "../../kubernetes/owners/ownership";
import { originOn, type OriginOn } from "../../kubernetes/identity/origin";
import type { KnownOwners, SetPlace } from "./known";
import { type Disk, diskName, isDatabaseSet, type Look, type OrphanKind, PATIENCE_MS, type SetOrphan } from "./orphan";
import { requireRegistered, type Search } from "./search";
import { bytes } from "../../foundation/text/numbers";
import { connect } from "../../kubernetes/connect/connect";

type Seen = Omit<SetOrphan, "way" | "spec" | "disks" | "record"> & SetPlace;

type InCluster = Pick<KubernetesProvisioner, "kubeconfig" | "context" | "cluster" | "clusterUid" | "namespace">;

/** Groups the platform's Kubernetes provisioners by cluster, so that each cluster is listed once. */
export function clustersOf({ provisioners, clickhouse = {} }: Platform): InCluster[][] {
  const all = [...Object.values(provisioners), ...Object.values(clickhouse)];
  const specs: InCluster[] = all.filter((spec) => spec.type === "kubernetes");
  return [...Map.groupBy(specs, ({ kubeconfig, context }) => JSON.stringify([kubeconfig, context])).values()];
}

/**
 * Lists the runtimes of a platform in a cluster, known or not. Objects without a recorded owner are ignored, because a
 * user may have applied them as a set of their own. Runtimes of other platforms are ignored too.
 */
export async function runtimesIn(
  client: Client,
  platform: string,
  namespaces: readonly string[],
  search: Search,
): Promise<Seen[]> {
  const [marked, uid] = await Promise.all([markedAnywhere(client, namespaces), clusterUid(client)]);
  const sets = Map.groupBy(marked, ({ metadata: { labels = {}, ...metadata } }) =>
    JSON.stringify([labels[SET_NAMESPACE_LABEL], labels[SET_LABEL], ownerIdOn({ metadata })]),
  );
  return [...sets.values()].flatMap((objects) => seenOf(objects, platform, { uid, search }) ?? []);
}

function seenOf(
  objects: readonly KubeObject[],
  name: string,
  { uid, search }: { readonly uid: string | undefined; readonly search: Search },
): Seen | undefined {
  const [first] = objects;
  if (!first) return undefined;
  const { [SET_LABEL]: set = "", [SET_NAMESPACE_LABEL]: namespace = "" } = first.metadata.labels ?? {};
  const owner = ownerIdOn(first);
  const origins = objects.map(originOn);
  const said = (key: keyof OriginOn): string | undefined => origins.find((one) => one[key] !== undefined)?.[key];
  const [id, platform, provisioner] = [said("deployment"), said("platform"), said("provisioner")];
  const isIts = search.isOf(name, { platform, deployment: id });
  if (!isIts || owner === undefined || id === undefined || provisioner === undefined) return undefined;
  return { type: "kubernetes", id, platform: name, provisioner, namespace, set, owner, objects, clusterUid: uid };
}

/** Returns the sets that no stack knows, with the disks that their removal affects. */
export async function setOrphans(
  client: Client,
  seen: readonly Seen[],
  known: KnownOwners,
  { provisioners, clickhouse = {} }: Platform,
  way: SetOrphan["way"],
): Promise<SetOrphan[]> {
  const orphaned = seen.filter((one) => !known.hasSet(one));
  return Promise.all(
    orphaned.map(async (one): Promise<SetOrphan> => {
      const specs = isDatabaseSet(one.set) ? {} : provisioners;
      const spec = Object.hasOwn(specs, one.provisioner) ? specs[one.provisioner] : undefined;
      const own = spec?.type === "kubernetes" ? spec : undefined;
      const databases = isDatabaseSet(one.set) ? clickhouse : {};
      const database = Object.hasOwn(databases, one.provisioner) ? databases[one.provisioner] : undefined;
      const { claimsWhenDeleted } = own ?? (database?.type === "kubernetes" ? database : {});
      const [disks, found] = await Promise.all([
        disksOf(client, one, claimsWhenDeleted),
        readOwner(client, recordRef({ name: one.set, namespace: one.namespace })),
      ]);
      const record = found?.record?.owner === one.owner ? found.record : undefined;
      return { ...one, way, spec: own, record, ...(claimsWhenDeleted && { claimsWhenDeleted }), disks };
    }),
  );
}

async function disksOf(
  client: Client,
  { namespace, set, owner, objects }: Pick<SetOrphan, "namespace" | "set" | "owner" | "objects">,
  claimsWhenDeleted: "Retain" | "Delete" | undefined,
): Promise<Disk[]> {
  const refs = objects.map(refOf);
  const sets = await Promise.all(refs.filter(isStatefulSet).map((ref) => client.get(ref)));
  const there = sets.filter((one) => one !== undefined);
  const claims = await Promise.all([
    ...there.map((one) => claimsOf(client, [one])),
    ...refs.filter(isClaim).map(async (ref) => (await client.get(ref)) ?? []),
  ]);
  const removed = { namespace, objects: [], claimsWhenDeleted };
  const lost = await claimsLostBySet(client, { namespace, set, id: owner }, refs.map(inventoryKey), removed);
  const lostUids = new Set(lost.map(({ metadata }) => metadata.uid));
  const all = new Map([...claims.flat(), ...lost].map((claim) => [claim.metadata.uid, claim]));
  return [...all.values()].map((claim) => ({ claim, lost: lostUids.has(claim.metadata.uid) }));
}

const sizeOf = ({ claim }: Disk): number | undefined => capacityOf(claim) ?? requestedBytes(claim);

/** A text about a disk, after its size. */
function withSize(disk: Disk, text: string): string {
  const size = sizeOf(disk);
  return size === undefined ? text : `${bytes(size)}, ${text}`;
}

/** Its objects for people, besides its disks. */
const objectsOf = ({ objects, disks }: SetOrphan): string[] => {
  const claims = new Set(disks.map(({ claim }) => describe(refOf(claim))));
  return objects.map((object) => describe(refOf(object))).filter((object) => !claims.has(object));
};

export const setKind: OrphanKind<SetOrphan> = {
  async look(name, platform, search) {
    const looks: Look[] = [];
    for (const [spec, ...others] of clustersOf(platform)) {
      if (!spec) continue;
      const { kubeconfig, context, cluster, clusterUid: registered } = spec;
      const client = connect(kubeconfig, context, { patienceMs: PATIENCE_MS });
      const namespaces = [...new Set([spec, ...others].map(({ namespace }) => namespace))];
      const runtimes = await search.look(`cluster ${cluster}`, async () => {
        await requireRegistered(client, registered);
        return runtimesIn(client, name, namespaces, search);
      });
      const way = { kubeconfig, context, cluster };
      if (runtimes) looks.push((known) => setOrphans(client, runtimes, known, platform, way));
    }
    return looks;
  },
  objects: ({ objects }) => objects,
  data: ({ disks }) => disks.map((disk) => ({ name: diskName(disk), lost: disk.lost })),
  record: ({ record }) => record,
  async offer({ way, namespace, set, owner, record }, to) {
    const client = connect(way.kubeconfig, way.context, { patienceMs: PATIENCE_MS });
    await offerSeen(client, recordRef({ name: set, namespace }), record, { to, owner });
  },
  place: ({ way, namespace, set, owner }) => `${way.cluster}/${namespace}/${set}/${owner}`,
  parts: (orphan) => [
    ...objectsOf(orphan),
    ...orphan.disks.map(
      (disk) => `disk ${diskName(disk)} (${withSize(disk, disk.lost ? "deleted with it" : "kept by its policy")})`,
    ),
  ],
  adoptedParts: (orphan) => [
    ...objectsOf(orphan),
    ...orphan.disks.map(
      (disk) => `disk ${describe(refOf(disk.claim))} (${withSize(disk, `UID ${disk.claim.metadata.uid}`)})`,
    ),
  ],
  structured: ({ way, namespace, set, owner, record, objects, disks }) => ({
    cluster: way.cluster,
    namespace,
    set,
    owner,
    ...(record && { record }),
    objects: objects.map((object) => describe(refOf(object))),
    disks: disks.map((disk) => ({
      claim: diskName(disk),
      uid: disk.claim.metadata.uid,
      bytes: sizeOf(disk),
      lost: disk.lost,
    })),
  }),
  async hold(name, { way, claimsWhenDeleted, namespace, set, owner }) {
    const { ManifestSet } = await import("../../components/resources/manifestSet.js");
    const policy = claimsWhenDeleted && { claimsWhenDeleted };
    return new ManifestSet(name, { ...way, namespace, name: set, objects: [], adopt: owner, ...policy });
  },
};
