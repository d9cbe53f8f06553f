import { stripVTControlCharacters } from "node:util";

const GAP = "  ";

/** Visible width: colour codes count as zero, and every character as one. */
function width(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

function pad(text: string, to: number, right: boolean): string {
  const space = " ".repeat(Math.max(0, to - width(text)));
  return right ? space + text : text + space;
}

export interface Column {
  readonly title: string;
  /** Use `right` for numbers. Default: left. */
  readonly align?: "left" | "right";
  /** Minimum width if the table must be narrower. Default: all. */
  readonly least?: number;
}

/** A column of numbers. */
export const numbers = (title: string): Column => ({ title, align: "right" });

/**
 * Formats a table: one line per row, two spaces between columns, no trailing spaces. A cell is a single line. If the
 * table is wider than `most`, the widest shrinkable columns are cut.
 */
export function table(
  titles: readonly (Column | string)[],
  rows: readonly (readonly string[])[],
  most = Infinity,
): string {
  const columns = titles.map((column) => (typeof column === "string" ? { title: column } : column));
  const cells = [columns.map((column) => column.title), ...rows].map((row) =>
    columns.map((_, index) => (row[index] ?? "").replace(/\s*\n\s*/g, " ")),
  );
  const natural = columns.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? ""))));
  const widths = fitted(columns, natural, most);
  return cells
    .map((row) =>
      row
        .map((cell, index) => {
          const room = widths[index] ?? 0;
          return pad(width(cell) > room ? cut(cell, room) : cell, room, columns[index]?.align === "right");
        })
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Shrinks the column with the most excess width, one character at a time, until the table fits or no column can shrink.
 */
function fitted(columns: readonly Column[], natural: readonly number[], most: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1));
  const spare = (index: number) => (widths[index] ?? 0) - (columns[index]?.least ?? Infinity);
  while (total() > most) {
    const richest = columns.map((_, index) => index).reduce((a, b) => (spare(b) > spare(a) ? b : a), 0);
    if (spare(richest) <= 0) break;
    widths[richest] = (widths[richest] ?? 0) - 1;
  }
  return widths;
}

/** A cell that is cut loses its colours, so that none stays active. */
const cut = (text: string, to: number): string => `${[...stripVTControlCharacters(text)].slice(0, to - 1).join("")}…`;
