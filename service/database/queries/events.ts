import type { Connection } from "../database";
import type { EventRow } from "../tables";
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
