import type { Connection } from "../database";
import type { EventRow } from "../tables";
import { pageOf, sizeOf, type Page } from "./page";

const isNumber = (text: string): boolean => /^\d{1,18}$/.test(text);

/** Events of one operation, oldest first. The caller must have checked the tenant. */
export async function page(
  database: Connection,
  { operation, first, after }: { readonly operation: string; readonly first?: number; readonly after?: string },
): Promise<Page<EventRow>> {
  const size = sizeOf(first);
  const matching = database.selectFrom("event").where("operationId", "=", operation);
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .$if(after !== undefined && isNumber(after), (query) => query.where("id", ">", after ?? ""))
      .orderBy("id")
      .limit(size + 1)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows, { size, total: Number(total), cursor: (row) => row.id });
}
