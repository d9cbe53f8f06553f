import { sql } from "kysely";

/** One page of a list. */
export interface Page<Row> {
  readonly nodes: readonly Row[];
  /** Cursor for the next page; null for an empty page. */
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  /** Number of matching nodes on all pages. */
  readonly totalCount: number;
}

export interface PageArgs<Filter> {
  /** The tenant; undefined for all tenants. */
  readonly tenant?: string;
  readonly filter?: Filter;
  /** Page size. Default: 50; at most 500. */
  readonly first?: number;
  /** Cursor of the last node on the previous page. */
  readonly after?: string;
}

const DEFAULT = 50;
const MOST = 500;

export const sizeOf = (first: number | undefined): number => Math.min(Math.max(Math.trunc(first ?? DEFAULT), 0), MOST);

/** Builds a page from rows that were read with one extra, which shows whether there is a next page. */
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

/** Escapes `%` and `_` for LIKE. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** Matches one of the values. Unlike `in`, it also works with an empty list. */
export const anyOf = (values: readonly string[]) => sql<never>`any(${[...values]}::text[])`;
