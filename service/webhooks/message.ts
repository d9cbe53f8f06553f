import type { OperationRow } from "../database/tables";
import type { NoticeRow } from "../database/watchTables";

/** Builds the message about the end of an operation. It contains no secrets. */
export function operationMessage(row: OperationRow, deployment: string): object {
  const { id, tenant, kind, state, revision, message, error, result, requestedBy, replacedBy } = row;
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
      replacedBy,
      requestedAt: row.requestedAt,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      error,
      outputs: result?.outputs ?? null,
      changes: result?.changes ?? null,
    },
  };
}

/** Builds the message about a notice. */
export function noticeMessage({ id, at, kind, level, tenant, subject, text }: NoticeRow): object {
  return { type: "notice", notice: { id, at, kind, level, tenant, subject, text } };
}
