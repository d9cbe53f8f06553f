import type { Context } from "../context";
import { serviceOf } from "./access";
import { readList, printList } from "./list";
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
  const access = await serviceOf(options);
  const { kind, level, subject } = options;
  const filter = { level, subject, ...(kind !== undefined && { kind: [kind] }) };
  const read = () =>
    readList<Notice>(access, { field: "notices", filterType: "NoticeFilter", fields: FIELDS, filter }, options.limit);
  await printList(
    context,
    read,
    (nodes, columns) => (nodes.length > 0 ? noticeTable(nodes, columns) : "no notices"),
    options,
  );
}
