import type { Connection } from "../database";
import type { AuditRow } from "../tables";
import { pageOf, sizeOf, type Page, type PageArgs } from "./page";

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly outcome?: string;
}

/** Entries of the audit trail, newest first. */
export async function page(
  database: Connection,
  { tenant, filter = {}, first, after }: PageArgs<AuditFilter>,
): Promise<Page<AuditRow>> {
  const size = sizeOf(first);
  const { actor, action, target, outcome } = filter;
  const matching = database
    .selectFrom("audit")
    .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
    .$if(actor !== undefined, (query) => query.where("actor", "=", actor ?? ""))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? ""))
    .$if(target !== undefined, (query) => query.where("target", "=", target ?? ""))
    .$if(outcome !== undefined, (query) => query.where("outcome", "=", outcome ?? ""));
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
