import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { openedDigest, sealedDigest } from "../database/sealing/digests";
import type { Vault } from "../database/sealing/vault";
import type { DeploymentRow, OperationRow, RolloutRow, Tables } from "../database/tables";
import { OperationError } from "./error";

/** What a request with a key can come to. */
interface Results {
  readonly operation: OperationRow;
  readonly deployment: DeploymentRow;
  readonly rollout: RolloutRow;
}

/** A request that may be sent again. */
export interface Keyed {
  readonly key: string | undefined;
  /** What makes two requests the same. */
  readonly request: object;
  readonly caller: { readonly tenant: string };
  /** Opens digests of requests with secrets. */
  readonly vault: Vault;
  /** Whether this request has a secret, so that its digest is sealed. Default: it has none. */
  readonly hasSecrets?: boolean;
}

const KEY = /^[\x21-\x7e]{1,200}$/;

/** Whether a text can be an idempotency key. */
export const isKey = (key: string): boolean => KEY.test(key);
export const KEY_EXPECTED = "1 to 200 printable characters without blanks";

/**
 * Carries a request out, and the second time with the same key answers what the first one came to, as it is now. Anyone who
 * sends it twice at a time waits for the first one.
 */
export async function once<Kind extends keyof Results>(
  transaction: Transaction<Tables>,
  kind: Kind,
  keyed: Keyed,
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
  const known = await repeated(transaction, key, digest, keyed);
  // The digest has the kind of the request, so the same one has come to the same kind of result.
  if (known !== undefined) return (await resultOf(transaction, known)) as Results[Kind];
  const result = await work();
  const stored = hasSecrets ? sealedDigest(vault, digest, tenant, key) : digest;
  const of = { operationId: null, deploymentId: null, rolloutId: null, [`${kind}Id`]: result.id };
  await transaction
    .insertInto("idempotency")
    .values({ tenant, key, digest: stored, ...of })
    .execute();
  return result;
}

interface Known {
  readonly operationId: string | null;
  readonly deploymentId: string | null;
  readonly rolloutId: string | null;
}

/** What the same request with the same key came to. Throws if the key was another request's. */
async function repeated(
  transaction: Transaction<Tables>,
  key: string,
  digest: string,
  { caller: { tenant }, vault }: Keyed,
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

function resultOf(
  transaction: Transaction<Tables>,
  { operationId, deploymentId, rolloutId }: Known,
): Promise<Results[keyof Results]> {
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
