import { setNameOf } from "../../foundation/pulumi/setName";
import { CLICKHOUSE_DATABASE, MANIFEST_SET, SHOOT, SLOT_ALLOCATION } from "../../components/resources/tokens";
import { textAt } from "../../kubernetes/client/objects";
import { ownerIdOf } from "../../kubernetes/identity/ownerId";
import type { StackState } from "../state/checkpoint";

/** Location of a manifest set. */
export interface SetPlace {
  readonly namespace: string;
  readonly set: string;
  /** UID of the cluster; undefined if it can't be determined. */
  readonly clusterUid: string | undefined;
}

/** Location of a Shoot. */
export interface ShootPlace {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
}

/** What the states of the runtimes contain, including what updates in progress or interrupted updates were creating. */
export class Known {
  /** Ids of the owners of slots, by pool and deployment. */
  private readonly slots = new Map<string, string[]>();
  /** Ids of databases in ClickHouse. */
  private readonly databases = new Set<unknown>();
  /** UIDs of clusters, by namespace and name; undefined: the cluster is unknown. */
  private readonly sets = new Map<string, (string | undefined)[]>();

  /** UIDs of Shoots, by namespace and name; undefined: the Shoot is being created. */
  private readonly shoots = new Map<string, (string | undefined)[]>();

  constructor(stacks: readonly StackState[]) {
    for (const { urn, type, inputs = {}, outputs = {} } of stacks.flatMap(({ resources, begun = [] }) => [
      ...resources,
      ...begun,
    ])) {
      if (type === SLOT_ALLOCATION) {
        const { pool, deployment, instance } = inputs;
        const derived = ownerIdOf(urn, `${String(pool)}/${String(deployment)}`, outputs);
        const place = key(pool, deployment);
        this.slots.set(place, [...(this.slots.get(place) ?? []), typeof instance === "string" ? instance : derived]);
      }
      if (type === CLICKHOUSE_DATABASE) this.databases.add(inputs["instance"]);
      if (type === SHOOT) {
        const named = (field: string) => textAt(inputs["shoot"], "metadata", field);
        const place = key(named("namespace"), named("name"));
        this.shoots.set(place, [...(this.shoots.get(place) ?? []), textAt(outputs, "uid")]);
      }
      if (type !== MANIFEST_SET) continue;
      const place = key(inputs["namespace"], setNameOf(inputs));
      const { clusterUid } = outputs;
      this.sets.set(place, [...(this.sets.get(place) ?? []), typeof clusterUid === "string" ? clusterUid : undefined]);
    }
  }

  /** `owner`: the id in the ledger; empty in rows of an earlier release, which belong to whoever has the slots. */
  hasSlots(pool: string, deployment: string, owner = ""): boolean {
    const owners = this.slots.get(key(pool, deployment)) ?? [];
    return owner === "" ? owners.length > 0 : owners.includes(owner);
  }

  hasDatabase = (instance: string): boolean => this.databases.has(instance);

  /** True unless it is certainly a different Shoot with the same name. */
  hasShoot({ namespace, name, uid }: ShootPlace): boolean {
    const uids = this.shoots.get(key(namespace, name)) ?? [];
    return uids.some((known) => known === undefined || uid === undefined || known === uid);
  }

  /**
   * True unless the set is certainly in another cluster: an object that is wrongly called an orphan could be deleted.
   */
  hasSet({ namespace, set, clusterUid }: SetPlace): boolean {
    const uids = this.sets.get(key(namespace, set)) ?? [];
    return uids.some((uid) => uid === undefined || clusterUid === undefined || uid === clusterUid);
  }
}

const key = (...parts: readonly unknown[]): string => JSON.stringify(parts);
