import { sql, type RawBuilder, type Selectable, type SelectQueryBuilder } from "kysely";
import type { Tables } from "../tables";

/** One page of a list. */
export interface Page<Row> {
  readonly nodes: readonly Row[];
  /** The place of each node in the list. */
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Number of matching nodes on all pages. */
  readonly totalCount: number;
}

export type Direction = "asc" | "desc";

export interface PageArgs<Filter> {
  /** The tenant; undefined for all tenants. */
  readonly tenant?: string;
  readonly filter?: Filter;
  /** Page size. Default: 50; at most 500. */
  readonly first?: number;
  /** Page size where pages are read backward, instead of `first`. */
  readonly last?: number;
  /** Cursor of the last node on the previous page. */
  readonly after?: string;
  /** Cursor of the first node on the next page. */
  readonly before?: string;
  readonly direction?: Direction;
}

type Position = Pick<PageArgs<unknown>, "first" | "last" | "after" | "before">;

/** Columns that a list is ordered by, and the text of a row's place among them. */
export interface Order<Row> {
  readonly keys: readonly RawBuilder<unknown>[];
  readonly cursorOf: (row: Row) => string;
  readonly valuesOf: (cursor: string) => readonly string[];
  /** Default: asc. */
  readonly direction?: Direction;
}

const DEFAULT = 50;
const MOST = 500;

export const sizeOf = ({ first, last }: Position): number =>
  Math.min(Math.max(Math.trunc(last ?? first ?? DEFAULT), 0), MOST);

/**
 * Builds a page from rows that were read with one extra, which shows whether there are more. Backward, the rows are in
 * the opposite order of the list.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  position: Position,
  { total, cursorOf }: { readonly total: number; readonly cursorOf: (row: Row) => string },
): Page<Row> {
  const size = sizeOf(position);
  const isBackward = position.last !== undefined;
  const nodes = rows.slice(0, size);
  if (isBackward) nodes.reverse();
  const hasMore = rows.length > size;
  return {
    nodes,
    cursors: nodes.map(cursorOf),
    hasNextPage: isBackward ? position.before !== undefined : hasMore,
    hasPreviousPage: isBackward ? hasMore : position.after !== undefined,
    totalCount: total,
  };
}

type Listed = keyof Tables;
type RowOf<Table extends Listed> = Selectable<Tables[Table]>;

/** Reads one page of the rows that match. */
export async function readPage<Table extends Listed>(
  matching: SelectQueryBuilder<Tables, Table, object>,
  { keys, cursorOf, valuesOf, ...order }: Order<RowOf<Table>>,
  args: PageArgs<unknown>,
): Promise<Page<RowOf<Table>>> {
  const { after, before, last, direction = order.direction ?? "asc" } = args;
  const isRising = direction === "asc";
  const beyond = (cursor: string, isGreater: boolean) =>
    sql<boolean>`(${sql.join(keys)}) ${sql.raw(isGreater ? ">" : "<")} (${sql.join(valuesOf(cursor))})`;
  let page = matching.selectAll().limit(sizeOf(args) + 1);
  if (after !== undefined) page = page.where(beyond(after, isRising));
  if (before !== undefined) page = page.where(beyond(before, !isRising));
  for (const key of keys) page = page.orderBy(key, isRising === (last === undefined) ? "asc" : "desc");
  const [rows, { total }] = await Promise.all([
    page.execute() as Promise<RowOf<Table>[]>,
    matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow() as Promise<{
      total: string;
    }>,
  ]);
  return pageOf(rows, args, { total: Number(total), cursorOf });
}

/** The order of rows by their id, which rises with time; the newest first. */
export const NEWEST_FIRST: Order<{ readonly id: string }> = {
  keys: [sql.ref("id")],
  cursorOf: ({ id }) => id,
  valuesOf: (cursor) => [cursor],
  direction: "desc",
};

/** From a time, included, to another one, excluded. */
export interface TimeRange {
  readonly since?: Date | null | undefined;
  readonly until?: Date | null | undefined;
}

/** Whether a column is in a time range. */
export const within = (column: string, { since, until }: TimeRange) =>
  sql<boolean>`(${sql.ref(column)} >= coalesce(${since ?? null}::timestamptz, '-infinity')
    and ${sql.ref(column)} < coalesce(${until ?? null}::timestamptz, 'infinity'))`;

/** Escapes `%` and `_` for LIKE. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** Matches one of the values. Unlike `in`, it also works with an empty list. */
export const anyOf = (values: readonly string[]) => sql<never>`any(${[...values]}::text[])`;
