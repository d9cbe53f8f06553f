import type { Pool } from "pg";
import { hasSecretValues } from "../../engine/stack/secretValues";
import type { RuntimeChange, RuntimeConfig } from "../../engine/stack/change";
import type { Database } from "./database";
import { removeAudited } from "./sealing/audited";
import { isPlainDigest, openedDigest, sealedDigest } from "./sealing/digests";
import { eachRow } from "./sealing/eachRow";
import { forgetKeys } from "./knownKeys";
import { isStale, RequestOf } from "./sealing/requests";
import { SealError, type Vault } from "./sealing/vault";

/** Number of rows changed, and the keys that are no longer used. */
export interface Resealed {
  readonly deployments: number;
  readonly operations: number;
  /** Entries of the audit trail whose secrets were removed. */
  readonly audit: number;
  readonly idempotencyKeys: number;
  readonly forgottenKeys: readonly string[];
}

/**
 * Seals all plain values, and those sealed with other keys, with the first key. Each row is locked and read again, so
 * the process may be killed and restarted, and others may use the same rows.
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
  eachRow<{ readonly desired_config: RuntimeConfig }>(
    pool,
    { table: "deployment", columns: "desired_config", idType: "text" },
    async ({ id, desired_config: desiredConfig }) => {
      if (!isStale(vault, desiredConfig)) return false;
      await database.transaction().execute(async (transaction) => {
        const rows = transaction
          .selectFrom("deployment")
          .select(["id", "tenant", "desiredConfig"])
          .where("id", "=", id);
        const row = await rows.forUpdate().executeTakeFirstOrThrow();
        const request = new RequestOf({ tenant: row.tenant, deployment: id }, row.desiredConfig);
        await transaction.updateTable("deployment").set({ desiredConfig: request }).where("id", "=", id).execute();
      });
      return true;
    },
  );

const resealOperations = (pool: Pool, database: Database, vault: Vault): Promise<number> =>
  eachRow<{ readonly change: RuntimeChange; readonly previous_config: RuntimeConfig | null }>(
    pool,
    { table: "operation", columns: "change, previous_config", idType: "uuid" },
    async ({ id, change, previous_config: before }) => {
      if (!isStale(vault, change) && (before === null || !isStale(vault, before))) return false;
      await database.transaction().execute(async (transaction) => {
        const columns = ["id", "tenant", "deploymentId", "change", "previousConfig"] as const;
        const rows = transaction.selectFrom("operation").select(columns).where("id", "=", id);
        const row = await rows.forUpdate().executeTakeFirstOrThrow();
        const owner = { tenant: row.tenant, deployment: row.deploymentId };
        const previousConfig = row.previousConfig && new RequestOf(owner, row.previousConfig);
        await transaction
          .updateTable("operation")
          .set({ change: new RequestOf(owner, row.change), previousConfig })
          .where("id", "=", id)
          .execute();
      });
      return true;
    },
  );

/** Seals plain digests of requests with secrets, and digests sealed with older keys. Returns their number. */
async function resealDigests(database: Database, vault: Vault): Promise<number> {
  const rows = await database
    .selectFrom("idempotency")
    .leftJoin("operation", "operation.id", "idempotency.operationId")
    .select(["idempotency.tenant", "key", "digest", "change", "operation.deploymentId"])
    .execute();
  let changed = 0;
  for (const { tenant, key, digest, change } of rows) {
    const isPlain = isPlainDigest(digest);
    if (isPlain ? change === null || !hasSecretValues(change) : vault.isCurrent({ sealed: digest })) continue;
    const opened = openedDigest(vault, digest, tenant, key);
    const { numUpdatedRows } = await database
      .updateTable("idempotency")
      .set({ digest: sealedDigest(vault, String(opened), tenant, key) })
      .where("tenant", "=", tenant)
      .where("key", "=", key)
      .where("digest", "=", digest)
      .executeTakeFirstOrThrow();
    changed += Number(numUpdatedRows);
  }
  return changed;
}
