import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { openedDigest, sealedDigest } from "../database/sealing/digests";
import type { Vault } from "../database/sealing/vault";
import type {
  DeploymentRow,
  DisksToDelete,
  IdempotencyTable,
  OperationRow,
  RolloutRow,
  Tables,
} from "../database/tables";
import { OperationError } from "./error";

/** Possible results of a request with an idempotency key, by kind. */
export interface Results {
  readonly operation: OperationRow;
  readonly deployment: DeploymentRow;
  readonly rollout: RolloutRow;
  readonly disks: DisksToDelete;
}

/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly key: string | undefined;
  /** Two requests are the same if these are equal. */
  readonly request: object;
  readonly caller: { readonly tenant: string };
  /** Opens sealed digests of requests. */
  readonly vault: Vault;
  /** Whether the request has a secret, so that its digest is sealed. Default: false. */
  readonly hasSecrets?: boolean;
}

const KEY = /^[\x21-\x7e]{1,200}$/;

/** Whether a text is a valid idempotency key. */
export const isKey = (key: string): boolean => KEY.test(key);
export const KEY_EXPECTED = "1 to 200 printable characters without blanks";

/**
 * Executes a request once. A repeated request with the same key returns the current state of the first one's result.
 * Concurrent duplicates wait for the first one.
 */
export async function runOnce<Kind extends keyof Results>(
  transaction: Transaction<Tables>,
  kind: Kind,
  keyed: IdempotentRequest,
  work: () => Promise<Results[Kind]>,
): Promise<Results[Kind]> {
  const { key, request, caller, vault, hasSecrets = false } = keyed;
  if (key === undefined) return work();
  if (!isKey(key)) {
    const reason = `found ${JSON.stringify(key.slice(0, 200))}; expected ${KEY_EXPECTED}`;
    throw new OperationError("BAD_INPUT", { reason, component: "input", path: "idempotencyKey" });
  }
  const { tenant } = caller;
  const digest = digestOf(request);
  const before = await repeated(transaction, key, digest, keyed);
  // The digest includes the kind of the request, so the result has the same kind.
  if (before !== undefined) return (await resultOf(transaction, before)) as Results[Kind];
  const result = await work();
  const stored = hasSecrets ? sealedDigest(vault, digest, tenant, key) : digest;
  const none: Known = { operationId: null, deploymentId: null, rolloutId: null, disks: null };
  const known: Partial<Known> = "id" in result ? { [`${kind}Id`]: result.id } : { disks: result };
  await transaction
    .insertInto("idempotency")
    .values({ tenant, key, digest: stored, ...none, ...known })
    .execute();
  return result;
}

type Known = Pick<IdempotencyTable, "operationId" | "deploymentId" | "rolloutId" | "disks">;

/** Returns the result of an earlier request with the same key. Throws if the key belongs to a different request. */
async function repeated(
  transaction: Transaction<Tables>,
  key: string,
  digest: string,
  { caller: { tenant }, vault }: IdempotentRequest,
): Promise<Known | undefined> {
  const lock = JSON.stringify([tenant, key]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stackyard key ${lock}`}, 0))`.execute(transaction);
  const known = await transaction
    .selectFrom("idempotency")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("key", "=", key)
    .executeTakeFirst();
  if (known === undefined || openedDigest(vault, known.digest, tenant, key) === digest) return known;
  throw new OperationError("CONFLICT", {
    reason: "the idempotency key was used for another request",
    path: "idempotencyKey",
    advice: "Use a new key for each request",
  });
}

async function resultOf(
  transaction: Transaction<Tables>,
  { operationId, deploymentId, rolloutId, disks }: Known,
): Promise<Results[keyof Results]> {
  if (disks !== null) return disks;
  if (operationId !== null) {
    const rows = transaction.selectFrom("operation").selectAll().where("id", "=", operationId);
    return rows.executeTakeFirstOrThrow();
  }
  if (deploymentId !== null) {
    const rows = transaction.selectFrom("deployment").selectAll().where("id", "=", deploymentId);
    return rows.executeTakeFirstOrThrow();
  }
  return transaction.selectFrom("rollout").selectAll().where("id", "=", rolloutId).executeTakeFirstOrThrow();
}

const digestOf = (request: object): string => createHash("sha256").update(canonicalJson(request)).digest("hex");
