import { sql } from "kysely";

/** One page of a list, in the list's own order. */
export interface Page<Row> {
  readonly nodes: readonly Row[];
  /** Cursor of the last node, for the next page; null for an empty page. */
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  /** How many there are with this filter, on all pages. */
  readonly totalCount: number;
}

export interface PageArgs<Filter> {
  /** The tenant; undefined for all tenants. */
  readonly tenant?: string;
  readonly filter?: Filter;
  /** How many; default 50, 500 at most. */
  readonly first?: number;
  /** Cursor after which the page begins. */
  readonly after?: string;
}

const DEFAULT = 50;
const MOST = 500;

export const sizeOf = (first: number | undefined): number => Math.min(Math.max(Math.trunc(first ?? DEFAULT), 0), MOST);

/** A page from one row more than it holds, which says whether there is a next one. */
export function pageOf<Row>(
  rows: readonly Row[],
  { size, total, cursor }: { readonly size: number; readonly total: number; readonly cursor: (row: Row) => string },
): Page<Row> {
  const nodes = rows.slice(0, size);
  const last = nodes.at(-1);
  return {
    nodes,
    endCursor: last === undefined ? null : cursor(last),
    hasNextPage: rows.length > size,
    totalCount: total,
  };
}

/** A text in which `%` and `_` mean themselves, for LIKE. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** One of these: unlike an `in`, of an empty list nothing is. */
export const anyOf = (values: readonly string[]) => sql<never>`any(${[...values]}::text[])`;
