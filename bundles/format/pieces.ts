/** Splits a file into its documents. */

/** A part of a file with its first line, from 1. */
export interface Piece {
  readonly text: string;
  readonly line: number;
}

/** Line breaks of YAML. JavaScript knows others, which may occur in texts. */
const BREAK = /\r\n|\r|\n/;
const breaksIn = (text: string): number => text.split(BREAK).length - 1;

/** Removes a byte order mark after a separator: files may be joined. */
const withoutMark = (piece: string): string => piece.replace(/^(---[ \t]*(?:\r\n|\r|\n))\ufeff/, "$1");

/** Splits at the document separators, which can't be part of a text. */
export function* pieces(text: string): Generator<Piece> {
  let start = 0;
  let line = 1;
  for (const match of text.matchAll(/(?<![^\r\n])---(?![^ \t\r\n])/g)) {
    const piece = text.slice(start, match.index);
    yield { text: withoutMark(piece), line };
    line += breaksIn(piece);
    start = match.index;
  }
  yield { text: withoutMark(text.slice(start)), line };
}

/** Index of the first line with content besides comments, directives and markers; undefined if there is none. */
export function firstLine(text: string): number | undefined {
  const lines = text.split(BREAK);
  const index = lines.findIndex((line, at) => {
    const rest = at === 0 ? line.replace(/^---(?=\s|$)/, "") : line;
    return !/^\s*(#.*)?$/.test(rest) && !/^(%.*|\.\.\.\s*)$/.test(rest);
  });
  return index < 0 ? undefined : index;
}

/** Splits concatenated JSON objects, as jq prints them; empty for other texts. */
export function jsonPieces({ text, line: first }: Piece): Piece[] {
  const found: Piece[] = [];
  let depth = 0;
  let quoted = false;
  let begin = 0;
  let line = first;
  for (let at = text.startsWith("---") ? 3 : 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (depth === 0 && /\s/.test(char)) {
      if (char === "\n") line++;
    } else if (char === "{" || char === "[") {
      if (depth++ === 0) begin = at;
    } else if (depth === 0) {
      return [];
    } else if (char === '"') {
      quoted = true;
    } else if ((char === "}" || char === "]") && --depth === 0) {
      const json = text.slice(begin, at + 1);
      found.push({ text: json, line });
      line += breaksIn(json);
    }
  }
  return depth === 0 ? found : [];
}
