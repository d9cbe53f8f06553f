import type { Connection } from "../database";
import type { AuditRow } from "../tables";
import { NEWEST_FIRST, readPage, within, type Page, type PageArgs, type TimeRange } from "./page";

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly outcome?: string;
  readonly at?: TimeRange;
}

/** Entries of the audit trail, newest first. */
export function auditPage(
  database: Connection,
  { tenant, filter = {}, ...place }: PageArgs<AuditFilter>,
): Promise<Page<AuditRow>> {
  const { at, ...texts } = filter;
  const equal = Object.entries({ tenant, ...texts }) as [keyof typeof texts | "tenant", string | undefined][];
  let matching = database.selectFrom("audit");
  for (const [name, text] of equal) if (text !== undefined) matching = matching.where(name, "=", text);
  if (at !== undefined) matching = matching.where(within("at", at));
  return readPage(matching, NEWEST_FIRST, place);
}
