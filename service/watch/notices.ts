import type { Connection } from "../database/database";
import { pageOf, sizeOf, type Page, type PageArgs } from "../database/queries/page";
import type { NoticeRow, NoticeTable } from "../database/watchTables";

/** Records what the service has noticed. Call it once for each change, not at each look. */
export async function notice(
  connection: Connection,
  row: Pick<NoticeTable, "kind" | "level" | "tenant" | "subject" | "text">,
): Promise<void> {
  await connection.insertInto("notice").values(row).execute();
}

/** Notices of a tenant and those of all, the newest first. */
export async function noticePage(
  database: Connection,
  { tenant, first, after }: PageArgs<object>,
): Promise<Page<NoticeRow>> {
  const size = sizeOf(first);
  const matching = database
    .selectFrom("notice")
    .$if(tenant !== undefined, (query) =>
      query.where((eb) => eb.or([eb("tenant", "is", null), eb("tenant", "=", tenant ?? "")])),
    );
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .$if(after !== undefined && /^\d{1,18}$/.test(after), (query) => query.where("id", "<", after ?? ""))
      .orderBy("id", "desc")
      .limit(size + 1)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows, { size, total: Number(total), cursor: (row) => row.id });
}
