import type { Connection } from "../database";
import type { EventKind, EventRow } from "../tables";
import { NEWEST_FIRST, readPage, type Page, type PageArgs } from "./page";

/** Events of one operation, oldest first. The caller must have checked the tenant. */
export const eventPage = (
  database: Connection,
  { operation, ...place }: { readonly operation: string } & Pick<PageArgs<unknown>, "first" | "after">,
): Promise<Page<EventRow>> =>
  readPage(database.selectFrom("event").where("operationId", "=", operation), NEWEST_FIRST, {
    ...place,
    direction: "asc",
  });

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
  await connection.insertInto("event").values(eventRows(operation, events)).execute();
}

/** Returns events of an operation as rows. */
export const eventRows = (operation: string, events: readonly NewEvent[]) =>
  events.map(({ kind, text, data = null }) => ({ operationId: operation, kind, text, data }));
