import { setNameOf } from "../../foundation/pulumi/setName";
import { CLICKHOUSE_DATABASE, MANIFEST_SET, SHOOT, SLOT_ALLOCATION } from "../../components/resources/tokens";
import { textAt } from "../../kubernetes/client/objects";
import type { StackState } from "../state/checkpoint";

/** A set in a cluster. */
export interface SetPlace {
  readonly namespace: string;
  readonly set: string;
  /** UID of the cluster; undefined if it can't be determined. */
  readonly clusterUid: string | undefined;
}

/** A Shoot in a garden. */
export interface ShootPlace {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
}

/** What the states of runtimes have, and what their updates are making or were making when they were killed. */
export class Known {
  private readonly slots = new Set<string>();
  /** Ids of databases in ClickHouse. */
  private readonly databases = new Set<unknown>();
  /** UIDs of the clusters by namespace and name; undefined: some cluster. */
  private readonly sets = new Map<string, (string | undefined)[]>();

  /** UIDs of the Shoots by namespace and name; undefined: some Shoot, for it is being created. */
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

  /** Known unless it certainly is another one of that name. */
  hasShoot({ namespace, name, uid }: ShootPlace): boolean {
    const uids = this.shoots.get(key(namespace, name)) ?? [];
    return uids.some((known) => known === undefined || uid === undefined || known === uid);
  }

  /** Known unless it certainly is in another cluster: what looks like an orphan by mistake could be removed. */
  hasSet({ namespace, set, clusterUid }: SetPlace): boolean {
    const uids = this.sets.get(key(namespace, set)) ?? [];
    return uids.some((uid) => uid === undefined || clusterUid === undefined || uid === clusterUid);
  }
}

const key = (...parts: readonly unknown[]): string => JSON.stringify(parts);
