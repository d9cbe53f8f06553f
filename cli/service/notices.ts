import type { Context } from "../context";
import { printList } from "./list";
import type { ServiceListOptions } from "./options";
import type { Notice } from "./queries";
import { noticeTable } from "./text";

export interface NoticeFilter extends ServiceListOptions {
  readonly kind?: string;
  readonly level?: string;
  readonly subject?: string;
}

const FIELDS = "id at kind level tenant subject text";

export async function listNotices(context: Context, options: NoticeFilter): Promise<void> {
  const { kind, level, subject } = options;
  const filter = { level, subject, ...(kind !== undefined && { kind: [kind] }) };
  const list = { field: "notices", filterType: "NoticeFilter", fields: FIELDS, filter };
  await printList<Notice>(context, list, noticeTable, options);
}
