import { reachOf } from "../../components/clickhouse/reach";
import type { StaticClickHouse } from "../../components/clickhouse/settings";
import type {
  GardenerProvisioner,
  KubernetesProvisioner,
  StaticProvisioner,
} from "../../components/runtime/platform/platform";
import type { NotedDatabase } from "../../provider/resources/clickHouseDatabase/note";
import { describe, type KubeObject } from "../../kubernetes/client/objects";
import { capacityOf, refOf, requestOf } from "../../kubernetes/claims/claims";
import { factsOf } from "../../kubernetes/gardener/shoot";
import { bytes, count } from "../../foundation/text/numbers";

/** Something that a ledger, a cluster or a ClickHouse server has of a deployment, and that no stack of the state backend knows of. */
export type Orphan = SlotsOrphan | SetOrphan | ShootOrphan | DatabaseOrphan;

/** One that is the runtime itself. */
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
}

export interface SetOrphan extends Found {
  readonly type: "kubernetes";
  readonly way: Pick<KubernetesProvisioner, "kubeconfig" | "context" | "cluster">;
  /** Undefined if the provisioner is not in the platform's set any more, and for what belongs to a database. */
  readonly spec: KubernetesProvisioner | undefined;
  /** As the provisioner says. */
  readonly claimsWhenDeleted?: "Retain" | "Delete";
  readonly namespace: string;
  /** `runtime-<provision id>`; `clickhouse-…` is what belongs to its database. */
  readonly set: string;
  /** The owner id that the objects have. */
  readonly owner: string;
  /** Without their content. */
  readonly objects: readonly KubeObject[];
  readonly disks: readonly Disk[];
}

export interface ShootOrphan extends Found {
  readonly type: "gardener";
  /** Undefined if the provisioner is not in the platform's set any more. */
  readonly spec: GardenerProvisioner | undefined;
  /** A provisioner of its project: the way there. */
  readonly garden: GardenerProvisioner;
  /** The owner id that it has. */
  readonly owner: string;
  readonly shoot: KubeObject;
}

export interface DatabaseOrphan extends Found {
  readonly type: "clickhouse";
  readonly spec: StaticClickHouse;
  readonly noted: NotedDatabase;
}

/** What belongs to the database of a deployment, and not to its runtime. */
export const isOfDatabase = (orphan: Orphan): orphan is SetOrphan | DatabaseOrphan =>
  orphan.type === "clickhouse" || (orphan.type === "kubernetes" && isDatabaseSet(orphan.set));

export const isDatabaseSet = (set: string): boolean => set.startsWith("clickhouse-");

export interface Disk {
  readonly claim: KubeObject;
  /** Whether removing the orphan deletes it; otherwise its retention policy keeps it. */
  readonly lost: boolean;
}

export const diskName = ({ claim: { metadata } }: Disk): string => `${metadata.namespace}/${metadata.name}`;

/** Data that removing an orphan deletes, or that a policy keeps, by the name that `--allow-data-loss` has for it. */
export function dataOf(orphan: Orphan): { readonly name: string; readonly lost: boolean }[] {
  if (orphan.type === "static") return [];
  // Whatever is in a cluster goes with it.
  if (orphan.type === "gardener") return [{ name: clusterName(orphan), lost: true }];
  if (orphan.type === "kubernetes") return orphan.disks.map((disk) => ({ name: diskName(disk), lost: disk.lost }));
  return [{ name: databaseName(orphan), lost: orphan.spec.databaseWhenDeleted === "Delete" }];
}

const databaseName = ({ provisioner, noted }: DatabaseOrphan): string => `${provisioner}/${noted.database}`;

const clusterName = ({ shoot: { metadata } }: ShootOrphan): string => `${metadata.namespace}/${metadata.name}`;

/** What an orphan consists of, one line each; disks last. */
export function partsOf(orphan: Orphan): string[] {
  if (orphan.type === "static") return [`${count(orphan.slots, "slot")} of pool ${orphan.spec.pool} on ${orphan.host}`];
  if (orphan.type === "clickhouse") {
    const { host, port } = reachOf(orphan.spec.url);
    const fate = orphan.spec.databaseWhenDeleted === "Delete" ? "deleted with it" : "kept by its policy";
    return [`database ${databaseName(orphan)} on ClickHouse server ${host}:${port} (${fate})`];
  }
  if (orphan.type === "gardener") {
    const { kubernetesVersion, hibernated } = factsOf(orphan.shoot);
    const going = orphan.shoot.metadata.deletionTimestamp === undefined ? "" : ", being deleted";
    const asleep = hibernated ? ", hibernated" : "";
    return [`Shoot ${clusterName(orphan)} with Kubernetes ${kubernetesVersion}${asleep}${going}`];
  }
  const disks = orphan.disks.map((disk) => {
    const size = capacityOf(disk.claim) ?? requestOf(disk.claim);
    const fate = disk.lost ? "deleted with it" : "kept by its policy";
    return `disk ${diskName(disk)} (${size === undefined ? fate : `${bytes(size)}, ${fate}`})`;
  });
  const claims = new Set(orphan.disks.map(({ claim }) => describe(refOf(claim))));
  const objects = orphan.objects.map((object) => describe(refOf(object))).filter((object) => !claims.has(object));
  return [...objects, ...disks];
}

/** An orphan as `-o json` prints it: nothing secret. */
export function structuredOrphan(orphan: Orphan): object {
  const { id, platform, provisioner, type } = orphan;
  const head = { id, platform, provisioner, type };
  if (orphan.type === "static") {
    const { spec, host, slots } = orphan;
    return { ...head, pool: spec.pool, host, slots };
  }
  if (orphan.type === "clickhouse") {
    const { host, port } = reachOf(orphan.spec.url);
    const { database } = orphan.noted;
    return { ...head, server: `${host}:${port}`, database, lost: orphan.spec.databaseWhenDeleted === "Delete" };
  }
  if (orphan.type === "gardener") {
    const { garden, owner, shoot } = orphan;
    const { namespace, name } = shoot.metadata;
    const { kubernetesVersion, hibernated } = factsOf(shoot);
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
  const { way, namespace, set, owner, objects, disks } = orphan;
  return {
    ...head,
    cluster: way.cluster,
    namespace,
    set,
    owner,
    objects: objects.map((object) => describe(refOf(object))),
    disks: disks.map((disk) => ({
      claim: diskName(disk),
      bytes: capacityOf(disk.claim) ?? requestOf(disk.claim),
      lost: disk.lost,
    })),
  };
}
