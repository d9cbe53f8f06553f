import { stripVTControlCharacters } from "node:util";

const GAP = "  ";

/** Columns a person sees; colour codes count nothing, wide characters are rare enough to count as one. */
function width(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

function pad(text: string, to: number, right: boolean): string {
  const space = " ".repeat(Math.max(0, to - width(text)));
  return right ? space + text : text + space;
}

export interface Column {
  readonly title: string;
  /** Numbers read better against the right edge. Default: left. */
  readonly align?: "left" | "right";
}

/** A plain table: one line per row, two spaces between columns, no trailing space. A cell is a single line. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cells = [columns.map((column) => column.title), ...rows].map((row) =>
    columns.map((_, index) => (row[index] ?? "").replace(/\s*\n\s*/g, " ")),
  );
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => width(row[index] ?? ""))));
  return cells
    .map((row) =>
      row
        .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align === "right"))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}
