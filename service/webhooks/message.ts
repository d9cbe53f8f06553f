import type { OperationRow } from "../database/tables";

/** What a receiver is reported about the end of an operation. Nothing in it is secret. */
export function messageOf(row: OperationRow, deployment: string): object {
  const { id, tenant, kind, state, revision, message, error, result, requestedBy } = row;
  return {
    type: "operation.ended",
    operation: {
      id,
      deployment,
      tenant,
      kind,
      state,
      revision,
      message,
      requestedBy,
      requestedAt: row.requestedAt,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      error,
      outputs: result?.outputs ?? null,
      changes: result?.changes ?? null,
    },
  };
}
