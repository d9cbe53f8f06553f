import type { Platform } from "../../../components/runtime/platform/platform";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { GARDENER, shootFacts } from "../../../kubernetes/gardener/shoot";
import { connect } from "../../../kubernetes/connect/connect";
import { whileOwned, writeRecord } from "../../../kubernetes/gardener/owner";
import { detailsOn, recordOn } from "../../../kubernetes/owners/annotations";
import { recordBefore } from "../../../kubernetes/owners/record";
import { originOn } from "../../../kubernetes/identity/origin";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import type { KnownOwners } from "../known";
import { requireRegistered, type Search } from "../search";
import { PATIENCE_MS, type Look, type OrphanKind, type ShootOrphan } from "../orphan";

/** Groups the platform's Gardener provisioners by project, so that each project is listed once. */
export function gardensOf({ provisioners }: Platform): [GardenerProvisioner, ...GardenerProvisioner[]][] {
  const specs = Object.values(provisioners).filter((spec) => spec.type === "gardener");
  const projects = Map.groupBy(specs, ({ kubeconfig, context, namespace }) =>
    JSON.stringify([kubeconfig, context, namespace]),
  );
  return [...projects.values()].flatMap(([first, ...others]) => (first ? [[first, ...others]] : []));
}

async function shootsIn(client: Client, { namespace, clusterUid }: GardenerProvisioner): Promise<KubeObject[]> {
  await requireRegistered(client, clusterUid, namespace);
  return client.list({ apiVersion: GARDENER, kind: "Shoot", namespace });
}

/**
 * Returns the Shoots of a platform that no stack knows. Shoots without a recorded owner are ignored: the Kyma Runtime
 * Provisioner or a user may have created them. Shoots of other platforms are ignored too. Pure.
 */
export function shootOrphans(
  name: string,
  { provisioners }: Platform,
  garden: GardenerProvisioner,
  shoots: readonly KubeObject[],
  known: KnownOwners,
  search: Search,
): ShootOrphan[] {
  return shoots.flatMap((shoot): ShootOrphan[] => {
    const origin = originOn(shoot);
    const { deployment: id, provisioner } = origin;
    const owner = ownerIdOn(shoot);
    if (!search.isOf(name, origin) || id === undefined || provisioner === undefined || owner === undefined) return [];
    const { uid, namespace = "", name: shootName } = shoot.metadata;
    if (known.hasShoot({ namespace, name: shootName, uid, owner })) return [];
    const own = Object.hasOwn(provisioners, provisioner) ? provisioners[provisioner] : undefined;
    const spec = own?.type === "gardener" ? own : undefined;
    return [{ type: "gardener", id, platform: name, provisioner, spec, garden, owner, shoot }];
  });
}

const clusterName = ({ shoot: { metadata } }: ShootOrphan): string => `${metadata.namespace}/${metadata.name}`;

export const shootKind: OrphanKind<ShootOrphan> = {
  async look(name, platform, search) {
    const looks: Look[] = [];
    for (const [garden] of gardensOf(platform)) {
      const client = connect(garden.kubeconfig, garden.context, { patienceMs: PATIENCE_MS });
      const shoots = await search.look(`Gardener ${garden.cluster}`, () => shootsIn(client, garden));
      if (shoots) looks.push((known) => shootOrphans(name, platform, garden, shoots, known, search));
    }
    return looks;
  },
  objects: ({ shoot }) => [shoot],
  // Deleting the cluster deletes everything in it.
  data: (orphan) => [{ name: clusterName(orphan), lost: true }],
  record: ({ shoot }) => recordOn(shoot),
  async offer({ garden, shoot, owner }, to) {
    const record = recordOn(shoot);
    const client = connect(garden.kubeconfig, garden.context, { patienceMs: PATIENCE_MS });
    // A Shoot from before there were records gets one here, so that only one of two adopters takes it over.
    const offered = { ...(record ?? recordBefore(owner)), offeredTo: to };
    await whileOwned(client, shoot, record, (live) => writeRecord(client, live, offered, detailsOn(live)));
  },
  place: (orphan) => `${clusterName(orphan)}/${orphan.owner}`,
  parts(orphan) {
    const { kubernetesVersion, hibernated } = shootFacts(orphan.shoot);
    const going = orphan.shoot.metadata.deletionTimestamp === undefined ? "" : ", being deleted";
    const asleep = hibernated ? ", hibernated" : "";
    const record = recordOn(orphan.shoot);
    const whose = record
      ? `, of stack ${record.stack} in ${record.backend}, last changed at ${record.changedAt} (${record.changedBy})`
      : "";
    return [`Shoot ${clusterName(orphan)} with Kubernetes ${kubernetesVersion}${asleep}${going}${whose}`];
  },
  structured({ garden: { cluster }, owner, shoot }) {
    const { namespace, name } = shoot.metadata;
    const { kubernetesVersion, hibernated } = shootFacts(shoot);
    return { cluster, namespace, shoot: name, owner, kubernetesVersion, hibernated, lost: true };
  },
  async hold(resource, { garden, spec, shoot, owner }) {
    const { Shoot } = await import("../../../components/resources/gardener/shoot.js");
    const { kubeconfig, context, cluster } = garden;
    const { apiVersion, kind } = shoot;
    const { namespace, name } = shoot.metadata;
    const { timeouts, allowForceDeletion } = spec ?? garden;
    const wanted = { apiVersion, kind, metadata: { namespace, name }, spec: {} };
    return new Shoot(resource, {
      ...{ kubeconfig, context, cluster, shoot: wanted, adopt: owner },
      ...{ timeouts: timeouts as Record<string, number>, allowForceDeletion },
    });
  },
};
