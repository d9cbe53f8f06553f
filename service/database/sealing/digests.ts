import { hasSecretValues } from "../../../engine/stack/secretValues";
import type { Database } from "../database";
import type { Vault } from "./vault";

/**
 * Digests of requests, which identify a repeated request. A reader of a digest could guess a secret in the request by
 * brute force, so digests of requests with secrets are sealed.
 */

const placeOf = (tenant: string, key: string): readonly string[] => ["idempotency", tenant, key];
const PLAIN = /^[0-9a-f]{64}$/;

export const sealedDigest = (vault: Vault, digest: string, tenant: string, key: string): string =>
  vault.writer ? vault.seal(digest, placeOf(tenant, key)).sealed : digest;

export const openedDigest = (vault: Vault, stored: string, tenant: string, key: string): unknown =>
  PLAIN.test(stored) ? stored : vault.open({ sealed: stored }, placeOf(tenant, key));

/** Seals plain digests of requests with secrets, and digests sealed with older keys. Returns their number. */
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
