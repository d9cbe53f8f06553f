import { setTimeout as sleep } from "node:timers/promises";
import { Client as Database } from "pg";
import { SET_LABEL } from "../../../kubernetes/owners/ownership";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { RECORD_LABEL, recordOn } from "../../../kubernetes/owners/annotations";

const EVERY_MS = 700;

interface Seen {
  /** UID of the record in the cluster, or the owner id of a row of the ledger. */
  readonly uid: string;
  readonly owner: string;
  readonly backend: string;
  readonly generation: number;
  readonly applied: boolean;
}

/** The time that one backend owned one thing. */
export interface Tenure {
  /** `namespace/runtime-id` or `pool/id`. */
  readonly thing: string;
  readonly backend: string;
  /** When it was missed last before it was seen, and seen first. */
  readonly began: readonly [number, number];
  /** Whether another backend owned it before. */
  readonly taken: boolean;
  /** Whether a change by its owner has succeeded. */
  applied: boolean;
  /** When it was seen last; and missed first, or with another owner; undefined while it lasts. */
  last: number;
  ended?: number;
  /** Whether nobody owned it afterwards. */
  gone?: boolean;
}

/** Watches the owners of everything, by the records in the cluster and the rows of the ledger. */
export class OwnerWatch {
  readonly faults: string[] = [];
  readonly tenures: Tenure[] = [];
  private before = new Map<string, Seen>();
  private looked = Date.now();
  private turn: Promise<unknown> = Promise.resolve();
  private stopped = false;
  private readonly ended: Promise<void>;

  constructor(
    private readonly client: Client,
    private readonly namespaces: readonly string[],
    private readonly ledgerUrl: string,
    private readonly hosts: readonly string[],
  ) {
    this.ended = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
    await this.look();
  }

  /** Looks at everything once. Fails while a server is away. */
  look(): Promise<void> {
    const mine = this.turn.then(() => this.compare());
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      await this.look().catch(() => undefined); // A server is away; the next look reports.
      await sleep(EVERY_MS);
    }
  }

  private async compare(): Promise<void> {
    const first = await this.records();
    const sets = await this.all("apps/v1", "StatefulSet", SET_LABEL);
    const [second, rows] = [await this.records(), await this.rows()];
    for (const live of sets) this.judge(live, first, second);
    const [now, at] = [new Map([...second, ...rows]), Date.now()];
    for (const [thing, seen] of now) this.follow(thing, seen, at);
    for (const thing of this.before.keys()) if (!now.has(thing)) this.end(thing, at, true);
    [this.before, this.looked] = [now, at];
  }

  /** Every object has the owner that is recorded, except during a change. */
  private judge(live: KubeObject, first: ReadonlyMap<string, Seen>, second: ReadonlyMap<string, Seen>): void {
    const { name, namespace, labels = {}, deletionTimestamp } = live.metadata;
    const thing = `${namespace}/${labels[SET_LABEL]}`;
    const [was, is, id] = [first.get(thing), second.get(thing), ownerIdOn(live)];
    if (was?.generation !== is?.generation || was?.owner !== is?.owner || deletionTimestamp !== undefined) return;
    if (is === undefined) this.faults.push(`StatefulSet ${name} in ${namespace} has no record of an owner`);
    else if (is.applied && id !== is.owner) {
      this.faults.push(`StatefulSet ${name} in ${namespace} has owner ${id}, and ${is.owner} is recorded`);
    }
  }

  private follow(thing: string, seen: Seen, at: number): void {
    const was = this.before.get(thing);
    const same = was?.uid === seen.uid;
    if (was && same && seen.generation < was.generation) {
      this.faults.push(`${thing}: generation ${was.generation} became ${seen.generation}`);
    }
    if (was && same && was.backend === seen.backend) {
      const tenure = this.current(thing);
      if (tenure) Object.assign(tenure, { last: at, applied: tenure.applied || seen.applied });
      return;
    }
    if (was) this.end(thing, at, !same);
    const { backend, applied } = seen;
    this.tenures.push({ thing, backend, began: [this.looked, at], taken: same, applied, last: at });
  }

  private end(thing: string, at: number, gone: boolean): void {
    const tenure = this.current(thing);
    if (tenure) Object.assign(tenure, { ended: at, gone });
  }

  private current = (thing: string): Tenure | undefined =>
    this.tenures.findLast((one) => one.thing === thing && one.ended === undefined);

  private async all(apiVersion: string, kind: string, label: string): Promise<KubeObject[]> {
    const lists = this.namespaces.map((namespace) =>
      this.client.list({ apiVersion, kind, namespace }, { label, metadataOnly: true }),
    );
    return (await Promise.all(lists)).flat();
  }

  /** Of runtimes: their namespaces are shared. */
  private async records(): Promise<Map<string, Seen>> {
    const found = await this.all("v1", "ConfigMap", RECORD_LABEL);
    return new Map(
      found.flatMap((object) => {
        const { namespace, name, uid = "" } = object.metadata;
        const record = recordOn(object);
        if (record === undefined || !name.startsWith("runtime-")) return [];
        const { owner, backend, generation, phase } = record;
        const thing = `${namespace}/${name.replace(/\.owner$/, "")}`;
        return [[thing, { uid, owner, backend, generation, applied: phase === "applied" }] as const];
      }),
    );
  }

  private async rows(): Promise<Map<string, Seen>> {
    const database = new Database({ connectionString: this.ledgerUrl });
    database.on("error", () => undefined); // It is killed too.
    await database.connect();
    try {
      const { rows } = await database.query<Omit<Seen, "uid" | "applied"> & { thing: string }>(
        `SELECT pool || '/' || deployment AS thing, owner, backend, generation
           FROM stackyard.allocations WHERE host = ANY($1)`,
        [this.hosts],
      );
      return new Map(rows.map(({ thing, ...row }) => [thing, { ...row, uid: row.owner, applied: true }]));
    } finally {
      await database.end();
    }
  }
}
