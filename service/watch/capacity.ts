import { sql } from "kysely";
import type { ProvisionerCapacity } from "../capacity/capacity";
import { levelOf, levelText } from "../capacity/level";
import type { Database } from "../database/database";
import { notice, type Hear } from "./notices";

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
