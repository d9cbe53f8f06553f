import type { Connection } from "../database/database";
import { withoutSecrets } from "../database/sealing/audited";
import type { Caller } from "./input";
import { OperationError } from "./error";

export interface Audited {
  readonly action: string;
  readonly target: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Records a request and its outcome in the audit trail, without secrets. */
export async function audit(
  connection: Connection,
  { tenant, actor, address }: Caller,
  { action, target, details = {} }: Audited,
  outcome: string,
): Promise<void> {
  await connection
    .insertInto("audit")
    .values({
      tenant,
      actor,
      address: address ?? null,
      action,
      target,
      outcome,
      details: withoutSecrets(details),
    })
    .execute();
}

/** Runs a request and records it if it is rejected. Accepted requests are recorded in their own transaction. */
export async function auditRefusal<T>(
  connection: Connection,
  caller: Caller,
  audited: Audited,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [code, reason] = error instanceof OperationError ? [error.code, error.reason] : ["INTERNAL", undefined];
    const details = { ...audited.details, ...(reason !== undefined && { reason }) };
    await audit(connection, caller, { ...audited, details }, code);
    throw error;
  }
}
