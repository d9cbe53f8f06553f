/** Cuts a file of manifests into documents and reads each, so that one that is wrong hides no other. */

import type { Fault } from "../errors";
import { LIMITS } from "../limits";
import { byCode } from "../tree/tree";
import { parseYaml, YamlFault } from "./yaml";

/** A value in a file. */
export interface Document {
  readonly file: string;
  /** Its place among the documents of the file that hold anything, from 1. */
  readonly document: number;
  /** Where it begins, from 1. */
  readonly line: number;
  readonly value: unknown;
}

export interface Documents {
  readonly documents: readonly Document[];
  readonly faults: readonly Fault[];
}

export function readDocuments(file: string, bytes: Buffer): Documents {
  const text = decode(bytes);
  if (typeof text === "object") return { documents: [], faults: [{ file, ...text }] };
  const documents: Document[] = [];
  const faults: Fault[] = [];
  let number = 0;
  for (const piece of pieces(text)) {
    const begins = firstLine(piece.text);
    if (begins === undefined) continue;
    const line = piece.line + begins;
    try {
      for (const value of parseYaml(piece.text)) {
        const place = { file, document: ++number, line };
        // A document of nothing but null says as much as an empty one.
        if (value === null) continue;
        const fault = tooMuch(value);
        if (fault === undefined) documents.push({ ...place, value });
        else faults.push({ ...place, what: fault });
      }
    } catch (error) {
      if (!(error instanceof YamlFault)) throw error;
      number++;
      const at = error.line === undefined ? line : piece.line + error.line;
      faults.push({ file, document: number, line: at, what: `found text that is no YAML or JSON: ${error.message}` });
    }
  }
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

/** Between the lines that begin a document, which can't be a part of any text in one. */
function* pieces(text: string): Generator<{ text: string; line: number }> {
  let start = 0;
  let line = 1;
  for (const match of text.matchAll(/^---(?=[\s]|$)/gm)) {
    const piece = text.slice(start, match.index);
    yield { text: piece, line };
    line += piece.split("\n").length - 1;
    start = match.index;
  }
  yield { text: text.slice(start), line };
}

/** Index of the first line with anything in it but comments, directives and marks; undefined where there is none. */
function firstLine(text: string): number | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const index = lines.findIndex((line, at) => {
    const rest = at === 0 ? line.replace(/^---(?=\s|$)/, "") : line;
    return !/^\s*(#.*)?$/.test(rest) && !/^(%.*|\.\.\.\s*)$/.test(rest);
  });
  return index < 0 ? undefined : index;
}

/** Aliases are shared in memory, but every one is written out in what is sent. Undefined: it is not too much. */
function tooMuch(value: unknown): string | undefined {
  let nodes = 0;
  let depth = 0;
  const walk = (each: unknown, at: number): boolean => {
    if (++nodes > LIMITS.nodes) return true;
    depth = Math.max(depth, at);
    if (at > 200) return true;
    if (typeof each !== "object" || each === null) return false;
    return Object.values(each).some((child) => walk(child, at + 1));
  };
  if (!walk(value, 0)) return undefined;
  if (depth > 200) return "found values in values more than 200 deep, or an alias of itself";
  return `found more than ${LIMITS.nodes} values once its aliases are written out`;
}

/** What a value is, for a person. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object")
    return `an object with ${Object.keys(value).sort(byCode).slice(0, 5).join(", ") || "nothing"}`;
  const text = JSON.stringify(value);
  return `${typeof value === "string" ? "the text" : "the value"} ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
}
