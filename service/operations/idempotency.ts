import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { openedDigest, sealedDigest } from "../database/sealing/digests";
import type { Vault } from "../database/sealing/vault";
import type { OperationRow, Tables } from "../database/tables";
import type { Caller } from "./input";
import { OperationError } from "./error";
import { canonicalJson } from "../../foundation/json/canonicalJson";

/** The operation of the same request by the same key. Anyone who sends it twice at a time waits for the first one. */
export async function repeated(
  transaction: Transaction<Tables>,
  key: string | undefined,
  digest: string,
  { tenant }: Caller,
  vault: Vault,
): Promise<OperationRow | undefined> {
  if (key === undefined) return undefined;
  const lock = JSON.stringify([tenant, key]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stackyard key ${lock}`}, 0))`.execute(transaction);
  const known = await transaction
    .selectFrom("idempotency")
    .innerJoin("operation", "operation.id", "idempotency.operationId")
    .selectAll("operation")
    .select("idempotency.digest")
    .where("idempotency.tenant", "=", tenant)
    .where("idempotency.key", "=", key)
    .executeTakeFirst();
  if (known === undefined) return undefined;
  const { digest: before, ...operation } = known;
  if (openedDigest(vault, before, tenant, key) === digest) return operation;
  throw new OperationError("CONFLICT", {
    reason: "the idempotency key was used for another request",
    path: "idempotencyKey",
    advice: "Use a new key for each request",
  });
}

export async function remember(
  transaction: Transaction<Tables>,
  key: string | undefined,
  digest: string,
  { tenant }: Caller,
  operationId: string,
  /** Seals the digest; none for that of a request without secrets. */
  vault?: Vault,
): Promise<void> {
  if (key === undefined) return;
  const stored = vault ? sealedDigest(vault, digest, tenant, key) : digest;
  await transaction.insertInto("idempotency").values({ tenant, key, digest: stored, operationId }).execute();
}

/** What makes two requests the same. */
export const digestOf = (request: object): string => createHash("sha256").update(canonicalJson(request)).digest("hex");
