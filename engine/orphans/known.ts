import { setNameOf } from "../../foundation/pulumi/setName";
import { CLICKHOUSE_DATABASE, MANIFEST_SET, SHOOT, SLOT_ALLOCATION } from "../../components/resources/tokens";
import { textAt } from "../../kubernetes/client/objects";
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
  private readonly slots = new Set<string>();
  /** Ids of databases in ClickHouse. */
  private readonly databases = new Set<unknown>();
  /** UIDs of clusters, by namespace and name; undefined: the cluster is unknown. */
  private readonly sets = new Map<string, (string | undefined)[]>();

  /** UIDs of Shoots, by namespace and name; undefined: the Shoot is being created. */
  private readonly shoots = new Map<string, (string | undefined)[]>();

  constructor(stacks: readonly StackState[]) {
    for (const { type, inputs = {}, outputs = {} } of stacks.flatMap(({ resources, begun = [] }) => [
      ...resources,
      ...begun,
    ])) {
      if (type === SLOT_ALLOCATION) this.slots.add(key(inputs["pool"], inputs["deployment"]));
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

  hasSlots = (pool: string, deployment: string): boolean => this.slots.has(key(pool, deployment));

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
