import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";

/** A position in the imported text, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A member of an object: the position of its key, and its value. */
export interface Member {
  readonly key: string;
  readonly at: Node;
  readonly value: Node;
}

/** The members of an object in order; empty for other values. */
export function members(node: Node | undefined): Member[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children }) => {
    const [at, value] = children ?? [];
    return at === undefined || value === undefined ? [] : [{ key: String(at.value), at, value }];
  });
}

/** Parses JSON with comments and trailing commas. */
export function parseJson(text: string): { root: Node | undefined; errors: { offset: number; message: string }[] } {
  const found: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, found, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { root: undefined, errors: [{ offset: 0, message: "it is nested too deeply" }] }; // The parser is recursive and has overflowed the stack.
  }
  const errors = found.map(({ offset, error }) => ({ offset, message: sentence(printParseErrorCode(error)) }));
  return { root, errors };
}

/** Converts `CommaExpected` to `comma expected`. */
const sentence = (code: string): string =>
  code.replace(/([A-Z])/g, (letter, _all, offset: number) =>
    offset === 0 ? letter.toLowerCase() : ` ${letter.toLowerCase()}`,
  );
