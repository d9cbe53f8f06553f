import type { Action, Text } from "./lexer";
import { keyword } from "./scope";

/** A line as it would be rendered, with a placeholder for each action that prints. */
interface Line {
  readonly number: number;
  text: string;
}

const PRINTED = "\u0001";

/** Faults in the YAML around the actions: no content, or more than one document. */
export function checkDocuments(parts: readonly (Text | Action)[]): { line: number; message: string }[] {
  let content = false;
  let separator: number | undefined;
  for (const { number, text } of flatten(parts)) {
    const mark = /^---(?:\s+(.*))?$/.exec(text);
    if (mark !== null && content) separator ??= number;
    if (!holdsContent(mark === null ? text : (mark[1] ?? ""))) continue;
    if (separator !== undefined) {
      return [
        {
          line: separator,
          message:
            "found a second YAML document after this ---; expected one object in each template; put the other one in a template of its own",
        },
      ];
    }
    content = true;
  }
  if (content) return [];
  return [{ line: 1, message: "the template is empty; expected one Kubernetes object, or leave the template out" }];
}

const holdsContent = (text: string): boolean => {
  const bare = text.trim();
  return bare !== "" && bare !== "..." && !bare.startsWith("#") && !bare.startsWith("%");
};

/** Lines of the text outside `define`, with white space trimmed according to the trim marks. */
function flatten(parts: readonly (Text | Action)[]): Line[] {
  const lines: Line[] = [];
  let current: Line | undefined;
  const append = (text: string, number: number): void => {
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0 || current === undefined) {
        current = { number: number + index, text: "" };
        lines.push(current);
      }
      current.text += piece;
    }
  };

  const opened: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.kind === "action") {
      const word = keyword(part);
      if (word !== undefined && OPENING.has(word)) opened.push(word);
      if (word === "end") opened.pop();
      if (!opened.includes("define") && prints(part)) append(PRINTED, part.line);
      continue;
    }
    if (opened.includes("define")) continue;
    const before = parts[index - 1];
    const after = parts[index + 1];
    let { text, line } = part;
    if (before?.kind === "action" && before.trimRight) {
      const trimmed = text.trimStart();
      line += text.slice(0, text.length - trimmed.length).split("\n").length - 1;
      text = trimmed;
    }
    if (after?.kind === "action" && after.trimLeft) text = text.trimEnd();
    if (text !== "") append(text, line);
  }
  return lines;
}

const OPENING = new Set(["if", "with", "range", "define", "block"]);

/** Whether an action may print something. */
function prints(action: Action): boolean {
  if (action.comment) return false;
  const word = keyword(action);
  if (word !== undefined) return word === "template" || word === "block";
  return !action.tokens.some((token) => token.kind === "punctuation" && (token.text === ":=" || token.text === "="));
}
