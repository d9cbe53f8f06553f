import type { Platform } from "../../components/runtime/platform/platform";
import type { StaticClickHouse } from "../../components/runtime/clickhouse/settings";
import type { StaticProvisioner } from "../../components/runtime/types/static/spec";
import type { KubernetesProvisioner } from "../../components/runtime/types/kubernetes/spec";
import type { GardenerProvisioner } from "../../components/runtime/types/gardener/spec";
import type { NotedDatabase } from "../../provider/resources/clickHouseDatabase/note";
import type { KubeObject } from "../../kubernetes/objects/objects";
import type { OwnerRecord } from "../../kubernetes/owners/record";
import type { KnownOwners } from "./known";
import type { Search } from "./search";

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

/** Short, because a user is waiting. */
export const PATIENCE_MS = 5_000;

/** Finishes a search once the states are known. */
export type Look = (known: KnownOwners) => Promise<readonly Orphan[]> | readonly Orphan[];

/** A kind of orphan: how it is found, shown and removed. Registered in kinds.ts. */
export interface OrphanKind<O extends Orphan> {
  /** Reads where a platform may have some. Places that can't be read are noted in the search. */
  look(name: string, platform: Platform, search: Search): Promise<readonly Look[]>;
  /** Its objects in Kubernetes, which say whether its deployment is protected. Default: none. */
  objects?(orphan: O): readonly KubeObject[];
  /** Data that its removal deletes or keeps, by the name that `--allow-data-loss` expects. Default: none. */
  data?(orphan: O): readonly { readonly name: string; readonly lost: boolean }[];
  /** The record of its owner, where one is recorded. */
  record?(orphan: O): OwnerRecord | undefined;
  /**
   * Lets a stack take it over; `to`: see offerTo(). Throws if another process has changed it since it was read. Default:
   * no owner is recorded.
   */
  offer?(orphan: O, to: string): Promise<unknown>;
  /** Identifies it. */
  place(orphan: O): string;
  /** Lists its parts, one line each, disks last. */
  parts(orphan: O): string[];
  /** Lists what an adoption takes over, in the same way. Default: its parts. */
  adoptedParts?(orphan: O): string[];
  /** Its fields for `-o json`, without secrets. */
  structured(orphan: O): object;
  /** Registers a resource that adopts it unchanged. Loads the resource's module here. */
  hold(name: string, orphan: O): Promise<unknown>;
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
