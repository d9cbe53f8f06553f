import { reachOf } from "../../components/runtime/databaseAccess";
import type { StaticClickHouse } from "../../components/runtime/clickhouse/settings";
import type { StaticProvisioner } from "../../components/runtime/types/static/spec";
import type { KubernetesProvisioner } from "../../components/runtime/types/kubernetes/spec";
import type { GardenerProvisioner } from "../../components/runtime/types/gardener/spec";
import type { NotedDatabase } from "../../provider/resources/clickHouseDatabase/note";
import { originOn } from "../../kubernetes/identity/origin";
import { describe, type KubeObject, refOf } from "../../kubernetes/objects/objects";
import { capacityOf, requestedBytes } from "../../kubernetes/claims/claims";
import { shootFacts } from "../../kubernetes/gardener/shoot";
import { ownerText } from "../../kubernetes/owners/judge";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import { recordOn } from "../../kubernetes/owners/annotations";
import { Failure } from "../../foundation/errors";
import { bytes, count } from "../../foundation/text/numbers";

/** A part of a deployment in a ledger, cluster or ClickHouse server that no stack of the state backend contains. */
export type Orphan = SlotsOrphan | SetOrphan | ShootOrphan | DatabaseOrphan;

/** An orphan that is a runtime. */
export type RuntimeOrphan = SlotsOrphan | SetOrphan | ShootOrphan;

interface Found {
  /** Id of the deployment. */
  readonly id: string;
  /** Name of the platform stack. */
  readonly platform: string;
  readonly provisioner: string;
}

export interface SlotsOrphan extends Found {
  readonly type: "static";
  readonly spec: StaticProvisioner;
  readonly ledgerUrl: string;
  readonly host: string;
  readonly slots: number;
  /** Undefined if the slots were taken after the ledger was read. */
  readonly owner: OwnerRecord | undefined;
}

export interface SetOrphan extends Found {
  readonly type: "kubernetes";
  readonly way: Pick<KubernetesProvisioner, "kubeconfig" | "context" | "cluster">;
  /** Undefined if the provisioner was removed from the platform's set, and for objects of a database. */
  readonly spec: KubernetesProvisioner | undefined;
  /** The provisioner's policy. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
  readonly namespace: string;
  /** `runtime-<provision id>`; `clickhouse-…` for objects of the deployment's database. */
  readonly set: string;
  /** Owner id of the objects. */
  readonly owner: string;
  /** The record of the owner; undefined for objects from before there were records. */
  readonly record: OwnerRecord | undefined;
  /** Metadata only. */
  readonly objects: readonly KubeObject[];
  readonly disks: readonly Disk[];
}

export interface ShootOrphan extends Found {
  readonly type: "gardener";
  /** Undefined if the provisioner was removed from the platform's set. */
  readonly spec: GardenerProvisioner | undefined;
  /** A provisioner of the same project, for its credentials. */
  readonly garden: GardenerProvisioner;
  /** Owner id of the Shoot. */
  readonly owner: string;
  readonly shoot: KubeObject;
}

export interface DatabaseOrphan extends Found {
  readonly type: "clickhouse";
  readonly spec: StaticClickHouse;
  readonly noted: NotedDatabase;
}

/** Whether the objects of an orphan say that its deployment is protected. Slots and databases can't say it. */
export function isProtected(orphan: Orphan): boolean {
  const objects = orphan.type === "kubernetes" ? orphan.objects : orphan.type === "gardener" ? [orphan.shoot] : [];
  return objects.some((object) => originOn(object).protected === "true");
}

/** True for parts of a deployment's database, false for parts of its runtime. */
export const isOfDatabase = (orphan: Orphan): orphan is SetOrphan | DatabaseOrphan =>
  orphan.type === "clickhouse" || (orphan.type === "kubernetes" && isDatabaseSet(orphan.set));

export const isDatabaseSet = (set: string): boolean => set.startsWith("clickhouse-");

export interface Disk {
  readonly claim: KubeObject;
  /** Whether removing the orphan deletes the disk; if false, its retention policy keeps it. */
  readonly lost: boolean;
}

export const diskName = ({ claim: { metadata } }: Disk): string => `${metadata.namespace}/${metadata.name}`;

/** Data that the removal of an orphan deletes or keeps, by the name that `--allow-data-loss` expects. */
export function dataOf(orphan: Orphan): { readonly name: string; readonly lost: boolean }[] {
  if (orphan.type === "static") return [];
  // Deleting the cluster deletes everything in it.
  if (orphan.type === "gardener") return [{ name: clusterName(orphan), lost: true }];
  if (orphan.type === "kubernetes") return orphan.disks.map((disk) => ({ name: diskName(disk), lost: disk.lost }));
  return [{ name: databaseName(orphan), lost: orphan.spec.databaseWhenDeleted === "Delete" }];
}

/** The record of the owner, where one is recorded. */
function recordIn(orphan: Orphan): OwnerRecord | undefined {
  if (orphan.type === "kubernetes") return orphan.record;
  if (orphan.type === "gardener") return recordOn(orphan.shoot);
  // Slots from before there were owners have a record with an empty id.
  return orphan.type === "static" && orphan.owner?.owner !== "" ? orphan.owner : undefined;
}

/** The record of an orphan that a stack of another backend owns; undefined if none does, as far as is known. */
export function foreignRecord(orphan: Orphan, backend: string): OwnerRecord | undefined {
  const record = recordIn(orphan);
  return record && record.backend !== backend ? record : undefined;
}

/** The owners of parts that belong to stacks of another backend, for messages. */
export const foreignOwners = (orphans: readonly Orphan[], backend: string): string[] => [
  ...new Set(orphans.flatMap((orphan) => foreignRecord(orphan, backend) ?? []).map(ownerText)),
];

/** Throws if a part belongs to a stack of another backend, which may be alive. */
export function refuseForeign(id: string, orphans: readonly Orphan[], backend: string): void {
  const owners = foreignOwners(orphans, backend);
  if (owners.length === 0) return;
  throw new Failure(
    `${id} belongs to ${owners.join("; and to ")}. Nothing was deleted. Destroy it from there; or take it over first: ` +
      `stackyard runtime adopt ${id}`,
  );
}

const databaseName = ({ provisioner, noted }: DatabaseOrphan): string => `${provisioner}/${noted.database}`;

const clusterName = ({ shoot: { metadata } }: ShootOrphan): string => `${metadata.namespace}/${metadata.name}`;

/** Lists the parts of an orphan, one line each, disks last. */
export function partsOf(orphan: Orphan): string[] {
  if (orphan.type === "static") {
    const { slots, spec, host, owner } = orphan;
    const whose = owner === undefined ? "" : `, of ${ownerText(owner)}`;
    return [`${count(slots, "slot")} of pool ${spec.pool} on ${host}${whose}`];
  }
  if (orphan.type === "clickhouse") {
    const { host, port } = reachOf(orphan.spec.url);
    const fate = orphan.spec.databaseWhenDeleted === "Delete" ? "deleted with it" : "kept by its policy";
    return [`database ${databaseName(orphan)} on ClickHouse server ${host}:${port} (${fate})`];
  }
  if (orphan.type === "gardener") {
    const { kubernetesVersion, hibernated } = shootFacts(orphan.shoot);
    const going = orphan.shoot.metadata.deletionTimestamp === undefined ? "" : ", being deleted";
    const asleep = hibernated ? ", hibernated" : "";
    const record = recordOn(orphan.shoot);
    const whose = record
      ? `, of stack ${record.stack} in ${record.backend}, last changed at ${record.changedAt} (${record.changedBy})`
      : "";
    return [`Shoot ${clusterName(orphan)} with Kubernetes ${kubernetesVersion}${asleep}${going}${whose}`];
  }
  const disks = orphan.disks.map((disk) => {
    const size = capacityOf(disk.claim) ?? requestedBytes(disk.claim);
    const fate = disk.lost ? "deleted with it" : "kept by its policy";
    return `disk ${diskName(disk)} (${size === undefined ? fate : `${bytes(size)}, ${fate}`})`;
  });
  const claims = new Set(orphan.disks.map(({ claim }) => describe(refOf(claim))));
  const objects = orphan.objects.map((object) => describe(refOf(object))).filter((object) => !claims.has(object));
  return [...objects, ...disks];
}

/** Lists what an adoption takes over, one line each: disks with their UIDs, and not what a removal would do to them. */
export function adoptedParts(orphan: Orphan): string[] {
  if (orphan.type !== "kubernetes") return partsOf(orphan);
  const disks = orphan.disks.map(({ claim }) => {
    const size = capacityOf(claim) ?? requestedBytes(claim);
    return `disk ${describe(refOf(claim))} (${size === undefined ? "" : `${bytes(size)}, `}UID ${claim.metadata.uid})`;
  });
  return [...partsOf({ ...orphan, disks: [] }).filter((part) => !/^PersistentVolumeClaim /.test(part)), ...disks];
}

/** The output of `-o json` for an orphan, without secrets. */
export function structuredOrphan(orphan: Orphan): object {
  const { id, platform, provisioner, type } = orphan;
  const head = { id, platform, provisioner, type };
  if (orphan.type === "static") {
    const { spec, host, slots, owner } = orphan;
    const { stack, backend, changedAt } = owner ?? {};
    return { ...head, pool: spec.pool, host, slots, stack, backend, changedAt };
  }
  if (orphan.type === "clickhouse") {
    const { host, port } = reachOf(orphan.spec.url);
    const { database } = orphan.noted;
    return { ...head, server: `${host}:${port}`, database, lost: orphan.spec.databaseWhenDeleted === "Delete" };
  }
  if (orphan.type === "gardener") {
    const { garden, owner, shoot } = orphan;
    const { namespace, name } = shoot.metadata;
    const { kubernetesVersion, hibernated } = shootFacts(shoot);
    return {
      ...head,
      cluster: garden.cluster,
      namespace,
      shoot: name,
      owner,
      kubernetesVersion,
      hibernated,
      lost: true,
    };
  }
  const { way, namespace, set, owner, record, objects, disks } = orphan;
  return {
    ...head,
    cluster: way.cluster,
    namespace,
    set,
    owner,
    ...(record && { record }),
    objects: objects.map((object) => describe(refOf(object))),
    disks: disks.map((disk) => ({
      claim: diskName(disk),
      uid: disk.claim.metadata.uid,
      bytes: capacityOf(disk.claim) ?? requestedBytes(disk.claim),
      lost: disk.lost,
    })),
  };
}
