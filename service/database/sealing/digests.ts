import { hasSecretValues } from "../../../engine/stack/secretValues";
import type { Database } from "../database";
import type { Vault } from "./vault";

/**
 * Digests of requests, by which a repeated one is known. Whoever has the digest of a request can try secrets until it fits, so
 * that of a request with secrets is sealed.
 */

const placeOf = (tenant: string, key: string): readonly string[] => ["idempotency", tenant, key];
const PLAIN = /^[0-9a-f]{64}$/;

export const sealedDigest = (vault: Vault, digest: string, tenant: string, key: string): string =>
  vault.writer ? vault.seal(digest, placeOf(tenant, key)).sealed : digest;

export const openedDigest = (vault: Vault, stored: string, tenant: string, key: string): unknown =>
  PLAIN.test(stored) ? stored : vault.open({ sealed: stored }, placeOf(tenant, key));

/** Seals digests of requests with secrets that are plain, and those that are sealed with other keys. Answers their number. */
export async function resealDigests(database: Database, vault: Vault): Promise<number> {
  const rows = await database
    .selectFrom("idempotency")
    .innerJoin("operation", "operation.id", "idempotency.operationId")
    .select(["idempotency.tenant", "key", "digest", "change", "operation.deploymentId"])
    .execute();
  let changed = 0;
  for (const { tenant, key, digest, change } of rows) {
    const isPlain = PLAIN.test(digest);
    if (isPlain ? !hasSecretValues(change) : vault.isCurrent({ sealed: digest })) continue;
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
