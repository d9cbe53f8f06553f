import type { Connection } from "../database/database";
import type { EventKind } from "../database/tables";

export interface NewEvent {
  readonly kind: EventKind;
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Records events of an operation. Subscribers are notified when the transaction commits. */
export async function recordEvents(
  connection: Connection,
  operation: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ kind, text, data }) => ({
    operationId: operation,
    kind,
    text,
    data: data === undefined ? null : data,
  }));
  await connection.insertInto("event").values(rows).execute();
}
