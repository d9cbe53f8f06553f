import { sql } from "kysely";
import type { Workspace } from "../../foundation/pulumi/backend";
import type { Capacity, ProvisionerCapacity } from "../capacity/capacity";
import { levelOf, levelText } from "../capacity/level";
import type { Database } from "../database/database";
import type { Log } from "../log";
import { watchHealth } from "./health/watch";
import { type Hear, notice } from "./notices";

/** Stores the capacity of provisioners, and records a notice when one reaches another level. */
export async function watchCapacity(
  database: Database,
  found: readonly ProvisionerCapacity[],
  hear?: Hear,
): Promise<void> {
  for (const { platform, name: provisioner, slotsUsed, slotsTotal = null, hosts } of found) {
    const level = levelOf(hosts);
    await database.transaction().execute(async (transaction) => {
      const before = await transaction
        .selectFrom("capacity")
        .select("level")
        .where("platform", "=", platform)
        .where("provisioner", "=", provisioner)
        .forUpdate()
        .executeTakeFirst();
      const row = { slotsUsed, slotsTotal, level, checkedAt: sql<Date>`now()` };
      await transaction
        .insertInto("capacity")
        .values({ platform, provisioner, ...row })
        .onConflict((conflict) => conflict.columns(["platform", "provisioner"]).doUpdateSet(row))
        .execute();
      if ((before?.level ?? 0) === level) return;
      const kind = { kind: "capacity", tenant: null, level: level > 0 ? "warning" : "info" } as const;
      await notice(transaction, { ...kind, subject: `${platform}/${provisioner}`, text: levelText(level) }, hear);
    });
  }
  // A provisioner that no longer exists must not be reported.
  const names = found.map(({ platform, name }) => `${platform}/${name}`);
  await database
    .deleteFrom("capacity")
    .where(sql<boolean>`not (platform || '/' || provisioner = any(${names}))`)
    .execute();
}

export interface WatchOptions {
  readonly database: Database;
  /** That of the runtimes. */
  readonly workspace: Workspace;
  readonly capacity: Pick<Capacity, "read" | "platform">;
  readonly log: Log;
  /** Called for each notice. */
  readonly hear?: Hear;
}

const TASK = "watch";

/** Periodically checks capacity and health: each minute, in one process. */
export class Watch {
  constructor(private readonly options: WatchOptions) {}

  readonly crontab = `* * * * * ${TASK}`;

  /** Tasks for the queue. */
  get tasks(): Readonly<Record<string, () => Promise<void>>> {
    return { [TASK]: () => this.look() };
  }

  /** A source that can't be read is logged and checked again a minute later. */
  async look(): Promise<void> {
    const { database, workspace, capacity, log, hear } = this.options;
    try {
      await watchCapacity(database, await capacity.read(), hear);
    } catch (error) {
      log.warn({ err: error }, "the capacity of provisioners could not be read");
    }
    try {
      await watchHealth(database, workspace, (name) => capacity.platform(name), hear);
    } catch (error) {
      log.warn({ err: error }, "the health of runtimes could not be read");
    }
  }
}
