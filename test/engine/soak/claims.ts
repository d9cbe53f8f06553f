import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../kubernetes/client/client";

/** One disk that was seen, by its UID. */
export interface Disk {
  readonly name: string;
  readonly namespace: string;
  readonly since: number;
  /** When it was missed first; undefined while it is there. */
  gone?: number;
}

const EVERY_MS = 700;

/** Watches all claims of namespaces, also while the API server is killed and comes back. */
export class ClaimWatch {
  readonly disks = new Map<string, Disk>();
  private readonly ended: Promise<void>;
  private stopped = false;

  constructor(
    private readonly client: Client,
    private readonly namespaces: readonly string[],
  ) {
    this.ended = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended;
    await this.look();
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      await this.look().catch(() => undefined); // The API server is away; the next look reports.
      await sleep(EVERY_MS);
    }
  }

  private async look(): Promise<void> {
    const kind = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
    const lists = await Promise.all(
      this.namespaces.map((namespace) => this.client.list({ ...kind, namespace }, { metadataOnly: true })),
    );
    const there = new Map(lists.flat().map(({ metadata }) => [metadata.uid ?? "", metadata]));
    const now = Date.now();
    for (const [uid, { name, namespace = "" }] of there)
      if (!this.disks.has(uid)) this.disks.set(uid, { name, namespace, since: now });
    for (const [uid, disk] of this.disks) if (!there.has(uid)) disk.gone ??= now;
  }
}
