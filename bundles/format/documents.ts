/** Reads each document of a manifest file separately, so that an invalid document does not hide faults in others. */

import type { BundleFault } from "../errors";
import { LIMITS } from "../limits";
import { byCode } from "../tree/tree";
import { settleNumbers } from "./numbers";
import { firstLine, jsonPieces, pieces, type Piece } from "./pieces";
import { parseYaml, YamlFault, type Reading } from "./yaml";

/** A document of a file. */
export interface Document {
  readonly file: string;
  /** Number among the non-empty documents of the file, from 1. */
  readonly document: number;
  /** First line, from 1. */
  readonly line: number;
  readonly value: unknown;
}

interface Documents {
  readonly documents: readonly Document[];
  readonly faults: readonly BundleFault[];
}

/** Remaining budget for reading one bundle, because the limits apply to all its documents together. */
interface ReadLimits {
  readonly reading: Reading;
  documents: number;
  values: number;
  /** Number of faults after which reading stops. */
  faults: number;
}

export const newReadLimits = (keysTwice = false): ReadLimits => ({
  reading: { characters: LIMITS.fixedCharacters, keysTwice },
  documents: LIMITS.documents,
  values: LIMITS.allNodes,
  faults: 200,
});

export const isExhausted = ({ documents, values, faults }: ReadLimits): boolean =>
  documents < 0 || values < 0 || faults <= 0;

/** Template expressions of Helm and other tools. Inside quotes and block scalars they are plain text. */
const TEMPLATE = /\{\{-?\s*[.$(\w]/;
const RENDERED_BEFORE =
  "it has a template, {{ … }}, and nothing is rendered here; render it before, or make it a chart of the format helm";

/** Reads the documents of a file. Reading consumes the budget; when it is used up, reading ends with a fault. */
export function readDocuments(file: string, bytes: Buffer, effort: ReadLimits = newReadLimits()): Documents {
  const text = decode(bytes);
  if (typeof text === "object") return { documents: [], faults: [{ file, ...text }] };
  const documents: Document[] = [];
  const faults: BundleFault[] = [];
  const fault = (one: BundleFault): void => {
    faults.push(one);
    effort.faults--;
  };
  let number = 0;
  const read = (piece: Piece, whole: boolean): void => {
    const begins = firstLine(piece.text);
    if (begins === undefined) return;
    const line = piece.line + begins;
    try {
      for (const value of parseYaml(piece.text, effort.reading)) {
        const place = { file, document: ++number, line };
        effort.documents--;
        // A document that contains only null counts as empty.
        if (value === null) continue;
        const what = tooMuch(value, effort) ?? settleNumbers(value);
        if (what === undefined) documents.push({ ...place, value });
        else fault({ ...place, what });
      }
    } catch (error) {
      if (!(error instanceof YamlFault)) throw error;
      const several = whole ? jsonPieces(piece) : [];
      if (several.length > 1) return several.forEach((each) => isExhausted(effort) || read(each, false));
      number++;
      effort.documents--;
      const at = error.line === undefined ? line : piece.line + error.line;
      const why = TEMPLATE.test(piece.text) ? RENDERED_BEFORE : cut(error.message, 200);
      const what = `found text that is no YAML or JSON: ${why}`;
      fault({ file, document: number, line: at, what });
    }
  };
  for (const piece of pieces(text)) {
    read(piece, true);
    if (isExhausted(effort)) break;
  }
  if (effort.documents < 0) fault({ file, what: `found more than ${LIMITS.documents} documents; split the bundle` });
  return { documents, faults };
}

function decode(bytes: Buffer): string | { line?: number; what: string } {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { what: "found text in UTF-16; expected UTF-8" };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const zero = text.indexOf("\0");
    if (zero < 0) return text;
    return { line: text.slice(0, zero).split("\n").length, what: "found a zero byte; expected YAML or JSON" };
  } catch {
    return { what: "found bytes that are no UTF-8; expected YAML or JSON" };
  }
}

/** Aliases are shared in memory, but written out in requests. Returns undefined if the size is acceptable. */
function tooMuch(value: unknown, effort: ReadLimits): string | undefined {
  let nodes = 0;
  let depth = 0;
  const most = Math.min(LIMITS.nodes, effort.values);
  const walk = (each: unknown, at: number): boolean => {
    if (++nodes > most) return true;
    depth = Math.max(depth, at);
    if (at > 200) return true;
    if (typeof each !== "object" || each === null) return false;
    return Object.values(each).some((child) => walk(child, at + 1));
  };
  const over = walk(value, 0);
  effort.values -= nodes;
  if (!over) return undefined;
  if (depth > 200) return "found values in values more than 200 deep, or an alias of itself";
  if (most < LIMITS.nodes)
    return `found more than ${LIMITS.allNodes} values in all documents together; split the bundle`;
  return `found more than ${LIMITS.nodes} values once its aliases are written out`;
}

/** The type of a value, for messages. */
export function valueKind(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object")
    return `an object with ${Object.keys(value).sort(byCode).slice(0, 5).join(", ") || "nothing"}`;
  return `${typeof value === "string" ? "the text" : "the value"} ${cut(JSON.stringify(value), 60)}`;
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
