import { setNameOf } from "../../foundation/pulumi/setName";
import { CLICKHOUSE_DATABASE, MANIFEST_SET, SHOOT, SLOT_ALLOCATION } from "../../components/resources/tokens";
import { textAt } from "../../kubernetes/objects/objects";
import { ownerIdOf } from "../../kubernetes/identity/ownerId";
import type { ResourceState, StackState } from "../pulumi/state/checkpoint";

/** Location of a manifest set. */
export interface SetPlace {
  readonly namespace: string;
  readonly set: string;
  /** UID of the cluster; undefined if it can't be determined. */
  readonly clusterUid: string | undefined;
  /** Owner id of its objects. */
  readonly owner: string;
}

/** Location of a Shoot. */
interface ShootPlace {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
  /** Its owner id; undefined if it has none, as one that Stackyard did not create. */
  readonly owner: string | undefined;
}

/** A set or Shoot in a state. */
interface Entry {
  /** UID of the set's cluster, or of the Shoot; undefined while it is being created. */
  readonly uid: string | undefined;
  /** Ids that its objects may have; empty if the state does not have them. */
  readonly owners: readonly string[];
}

/** What the states of the runtimes contain, including what updates in progress or interrupted updates were creating. */
export class KnownOwners {
  /** Ids of the owners of slots, by pool and deployment. */
  private readonly slots = new Map<string, string[]>();
  /** Ids of databases in ClickHouse. */
  private readonly databases = new Set<unknown>();
  /** By namespace and name. */
  private readonly sets = new Map<string, Entry[]>();
  private readonly shoots = new Map<string, Entry[]>();

  constructor(stacks: readonly StackState[]) {
    for (const resource of stacks.flatMap(({ resources, begun = [] }) => [...resources, ...begun])) this.#add(resource);
  }

  #add({ urn, type, id = "", inputs = {}, outputs = {} }: ResourceState): void {
    const instance = textAt(inputs, "instance");
    if (type === SLOT_ALLOCATION) {
      const { pool, deployment } = inputs;
      const derived = ownerIdOf(urn, `${String(pool)}/${String(deployment)}`, outputs);
      append(this.slots, key(pool, deployment), instance ?? derived);
    }
    if (type === CLICKHOUSE_DATABASE) this.databases.add(instance);
    if (type === SHOOT) {
      const named = (field: string) => textAt(inputs["shoot"], "metadata", field);
      const uid = textAt(outputs, "uid");
      const place = key(named("namespace"), named("name"));
      append(this.shoots, place, { uid, owners: instance === undefined ? [] : [instance] });
    }
    if (type === MANIFEST_SET) {
      // An interrupted update may have left objects with either id.
      const owners = [instance, ...(id === "" ? [] : [ownerIdOf(urn, id, outputs)])].filter((one) => one !== undefined);
      const uid = textAt(outputs, "clusterUid");
      append(this.sets, key(inputs["namespace"], setNameOf(inputs)), { uid, owners });
    }
  }

  /** `owner`: the id in the ledger; empty in rows of an earlier release, which belong to whoever has the slots. */
  hasSlots(pool: string, deployment: string, owner = ""): boolean {
    const owners = this.slots.get(key(pool, deployment)) ?? [];
    return owner === "" ? owners.length > 0 : owners.includes(owner);
  }

  hasDatabase = (instance: string): boolean => this.databases.has(instance);

  /** True unless it is certainly a different Shoot with the same name, or one that another owner has taken over. */
  hasShoot({ namespace, name, uid, owner }: ShootPlace): boolean {
    return has(this.shoots.get(key(namespace, name)), uid, owner);
  }

  /**
   * True unless the set is certainly in another cluster, or of another owner: an object that is wrongly called an orphan
   * could be deleted.
   */
  hasSet({ namespace, set, clusterUid, owner }: SetPlace): boolean {
    return has(this.sets.get(key(namespace, set)), clusterUid, owner);
  }
}

const has = (entries: readonly Entry[] = [], uid: string | undefined, owner: string | undefined): boolean =>
  entries.some(
    (one) =>
      (one.uid === undefined || uid === undefined || one.uid === uid) &&
      (one.owners.length === 0 || owner === undefined || one.owners.includes(owner)),
  );

function append<T>(map: Map<string, T[]>, place: string, value: T): void {
  map.set(place, [...(map.get(place) ?? []), value]);
}

const key = (...parts: readonly unknown[]): string => JSON.stringify(parts);
