import type { Connection } from "../database/database";
import type { Transaction } from "kysely";
import { anyOf, NEWEST_FIRST, readPage, within } from "../database/queries/page";
import type { Page, PageArgs, TimeRange } from "../database/queries/page";
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
  readonly at?: TimeRange;
}

/** Notices of a tenant and those for all tenants, newest first. */
export function noticePage(
  database: Connection,
  { tenant, filter = {}, ...place }: PageArgs<NoticeFilter>,
): Promise<Page<NoticeRow>> {
  const { kind, level, subject, at } = filter;
  const matching = database
    .selectFrom("notice")
    .$if(kind !== undefined, (query) => query.where("kind", "=", anyOf(kind ?? [])))
    .$if(level !== undefined, (query) => query.where("level", "=", level ?? "info"))
    .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? ""))
    .$if(at !== undefined, (query) => query.where(within("at", at ?? {})))
    .$if(tenant !== undefined, (query) =>
      query.where((eb) => eb.or([eb("tenant", "is", null), eb("tenant", "=", tenant ?? "")])),
    );
  return readPage(matching, NEWEST_FIRST, place);
}
