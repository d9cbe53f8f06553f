import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { openedDigest, sealedDigest } from "../database/sealing/digests";
import type { Vault } from "../database/sealing/vault";
import type { Database } from "../database/database";
import type {
  DeploymentRow,
  DisksToDelete,
  IdempotencyTable,
  OperationRow,
  RolloutRow,
  StoredError,
  Tables,
} from "../database/tables";
import { OperationError, type ErrorCode } from "./error";

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
 * Executes a request in a transaction, once. A repeated request with the same key returns the current state of the first
 * one's result, or is refused as the first one was: a process that was stopped meanwhile must not accept what another
 * one has refused. Concurrent duplicates wait for the first one.
 */
export async function runOnce<Kind extends keyof Results>(
  database: Database,
  kind: Kind,
  keyed: IdempotentRequest,
  work: (transaction: Transaction<Tables>) => Promise<Results[Kind]>,
): Promise<Results[Kind]> {
  const { key } = keyed;
  if (key === undefined) return database.transaction().execute(work);
  if (!isKey(key)) {
    const reason = `found ${JSON.stringify(key.slice(0, 200))}; expected ${KEY_EXPECTED}`;
    throw new OperationError("BAD_INPUT", { reason, component: "input", path: "idempotencyKey" });
  }
  // A refusal is returned from the transaction, because an exception would roll back its record too.
  const outcome = await database.transaction().execute(async (transaction) => {
    const before = await repeated(transaction, key, keyed);
    // The digest includes the kind of the request, so the result has the same kind.
    if (before !== undefined) return (await resultOf(transaction, before)) as Results[Kind] | OperationError;
    await sql`savepoint request`.execute(transaction);
    try {
      const result = await work(transaction);
      await record(transaction, key, keyed, "id" in result ? { [`${kind}Id`]: result.id } : { disks: result });
      return result;
    } catch (error) {
      if (!(error instanceof OperationError) || !error.isCallers) throw error;
      await sql`rollback to savepoint request`.execute(transaction);
      await record(transaction, key, keyed, { refusal: error.stored() });
      return error;
    }
  });
  if (outcome instanceof OperationError) throw outcome;
  return outcome;
}

type Known = Pick<IdempotencyTable, "operationId" | "deploymentId" | "rolloutId" | "disks" | "refusal">;

async function record(
  transaction: Transaction<Tables>,
  key: string,
  { request, caller: { tenant }, vault, hasSecrets = false }: IdempotentRequest,
  known: Partial<Known>,
): Promise<void> {
  const plain = digestOf(request, known.refusal !== undefined);
  const digest = hasSecrets ? sealedDigest(vault, plain, tenant, key) : plain;
  const none: Known = { operationId: null, deploymentId: null, rolloutId: null, disks: null, refusal: null };
  await transaction
    .insertInto("idempotency")
    .values({ tenant, key, digest, ...none, ...known })
    .execute();
}

/** Returns the result of an earlier request with the same key. Throws if the key belongs to a different request. */
async function repeated(
  transaction: Transaction<Tables>,
  key: string,
  { request, caller: { tenant }, vault }: IdempotentRequest,
): Promise<Known | undefined> {
  const lock = JSON.stringify([tenant, key]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stackyard key ${lock}`}, 0))`.execute(transaction);
  const known = await transaction
    .selectFrom("idempotency")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("key", "=", key)
    .executeTakeFirst();
  if (known === undefined) return undefined;
  if (openedDigest(vault, known.digest, tenant, key) === digestOf(request, known.refusal !== null)) return known;
  throw new OperationError("CONFLICT", {
    reason: "the idempotency key was used for another request",
    path: "idempotencyKey",
    advice: "Use a new key for each request",
  });
}

async function resultOf(
  transaction: Transaction<Tables>,
  { operationId, deploymentId, rolloutId, disks, refusal }: Known,
): Promise<Results[keyof Results] | OperationError> {
  if (refusal !== null) return kept(refusal);
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

/** Returns a stored refusal; its advice says how to try again. */
const kept = ({ code, advice, ...parts }: StoredError): OperationError =>
  new OperationError(code as ErrorCode, {
    ...parts,
    advice: [advice, "This is the answer to the first request with its idempotency key; use a new key to try again"]
      .filter((text) => text !== undefined)
      .join(". "),
  });

/** An earlier version, which knows no refusals, has to take the key of a refused request for that of another one. */
const digestOf = (request: object, isRefused: boolean): string =>
  createHash("sha256")
    .update(canonicalJson(isRefused ? { refused: request } : request))
    .digest("hex");
