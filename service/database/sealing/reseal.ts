import type { Pool } from "pg";
import type { RuntimeChange, RuntimeConfig } from "../../../engine/stack/change";
import type { Database } from "../database";
import { removeAudited } from "./audited";
import { resealDigests } from "./digests";
import { eachRow } from "./eachRow";
import { forgetKeys } from "./knownKeys";
import { isStale, RequestOf } from "./requests";
import { SealError, type Vault } from "./vault";

/** Numbers of rows that were changed, and the keys that nothing is sealed with any more. */
export interface Resealed {
  readonly deployments: number;
  readonly operations: number;
  /** Entries of the audit trail whose secrets were removed. */
  readonly audit: number;
  readonly idempotencyKeys: number;
  readonly forgottenKeys: readonly string[];
}

/**
 * Seals everything with the first key: what was written before there was one, and what is sealed with others. Row by row, each
 * locked and read again: it may be killed and started again, and others may work on the same rows.
 */
export async function reseal(pool: Pool, database: Database, vault: Vault): Promise<Resealed> {
  if (!vault.writer) throw new SealError("APP_ENCRYPTION_KEYS: found nothing; expected the key to seal with");
  return {
    deployments: await resealDeployments(pool, database, vault),
    operations: await resealOperations(pool, database, vault),
    audit: await removeAudited(pool),
    idempotencyKeys: await resealDigests(database, vault),
    forgottenKeys: await forgetKeys(database, vault),
  };
}

const resealDeployments = (pool: Pool, database: Database, vault: Vault): Promise<number> =>
  eachRow<{ readonly wish: RuntimeConfig }>(
    pool,
    { table: "deployment", columns: "wish", idType: "text" },
    async ({ id, wish }) => {
      if (!isStale(vault, wish)) return false;
      await database.transaction().execute(async (transaction) => {
        const rows = transaction.selectFrom("deployment").select(["id", "tenant", "wish"]).where("id", "=", id);
        const row = await rows.forUpdate().executeTakeFirstOrThrow();
        const request = new RequestOf({ tenant: row.tenant, deployment: id }, row.wish);
        await transaction.updateTable("deployment").set({ wish: request }).where("id", "=", id).execute();
      });
      return true;
    },
  );

const resealOperations = (pool: Pool, database: Database, vault: Vault): Promise<number> =>
  eachRow<{ readonly change: RuntimeChange; readonly wish_before: RuntimeConfig | null }>(
    pool,
    { table: "operation", columns: "change, wish_before", idType: "uuid" },
    async ({ id, change, wish_before: before }) => {
      if (!isStale(vault, change) && (before === null || !isStale(vault, before))) return false;
      await database.transaction().execute(async (transaction) => {
        const columns = ["id", "tenant", "deploymentId", "change", "wishBefore"] as const;
        const rows = transaction.selectFrom("operation").select(columns).where("id", "=", id);
        const row = await rows.forUpdate().executeTakeFirstOrThrow();
        const owner = { tenant: row.tenant, deployment: row.deploymentId };
        const wishBefore = row.wishBefore && new RequestOf(owner, row.wishBefore);
        await transaction
          .updateTable("operation")
          .set({ change: new RequestOf(owner, row.change), wishBefore })
          .where("id", "=", id)
          .execute();
      });
      return true;
    },
  );
