import type { Connection } from "../database/database";
import type { Transaction } from "kysely";
import { anyOf, pageOf, sizeOf, type Page, type PageArgs } from "../database/queries/page";
import type { Tables } from "../database/tables";
import type { NoticeRow, NoticeTable } from "../database/watchTables";

/** Called for each notice, in the transaction that records it. */
export type Hear = (transaction: Transaction<Tables>, row: NoticeRow) => Promise<void>;

/** Records a notice. Call it once per change, not once per check. */
export async function notice(
  transaction: Transaction<Tables>,
  values: Pick<NoticeTable, "kind" | "level" | "tenant" | "subject" | "text">,
  hear?: Hear,
): Promise<void> {
  const row = await transaction.insertInto("notice").values(values).returningAll().executeTakeFirstOrThrow();
  await hear?.(transaction, row);
}

/** Whether the last notice about a subject was a warning. */
export async function wasWarned(
  connection: Connection,
  { kind, tenant, subject }: Pick<NoticeTable, "kind" | "subject"> & { readonly tenant: string },
): Promise<boolean> {
  const last = await connection
    .selectFrom("notice")
    .select("level")
    .where("subject", "=", subject)
    .where("kind", "=", kind)
    .where("tenant", "=", tenant)
    .orderBy("id", "desc")
    .executeTakeFirst();
  return last?.level === "warning";
}

export interface NoticeFilter {
  readonly kind?: readonly NoticeRow["kind"][];
  readonly level?: NoticeRow["level"];
  /** The deployment, or the provisioner as platform/name. */
  readonly subject?: string;
}

/** Notices of a tenant and those for all tenants, newest first. */
export async function noticePage(
  database: Connection,
  { tenant, filter = {}, first, after }: PageArgs<NoticeFilter>,
): Promise<Page<NoticeRow>> {
  const size = sizeOf(first);
  const { kind, level, subject } = filter;
  const matching = database
    .selectFrom("notice")
    .$if(kind !== undefined, (query) => query.where("kind", "=", anyOf(kind ?? [])))
    .$if(level !== undefined, (query) => query.where("level", "=", level ?? "info"))
    .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? ""))
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
