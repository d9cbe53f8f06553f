/**
 * Finds the positions of objects, which Helm's engine does not report. A copy of the chart is rendered with a position
 * after each `kind: …` line. Only the positions are used, because the marks change what is rendered.
 */

import { isObject, type Json } from "../../../foundation/json/isObject";

const MARK = "stackyard.dev/at";
const RENDERED = /(^|\/)(templates|crds)\/.*\.(ya?ml|json|tpl|txt)$/;
const KIND = /^kind: *(["']?)[A-Za-z]+\1 *\r?$/;

export interface MarkPlace {
  readonly file: string;
  readonly line: number;
}

export function marked(files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map([...files].map(([file, bytes]) => [file, RENDERED.test(file) ? markedFile(file, bytes) : bytes]));
}

function markedFile(file: string, bytes: Buffer): Buffer {
  const lines = bytes.toString("utf8").split("\n");
  const found = lines.flatMap((line, index) =>
    KIND.test(line) ? [line, `${MARK}: ${JSON.stringify(`${index + 1}:${file}`)}`] : [line],
  );
  return found.length === lines.length ? bytes : Buffer.from(found.join("\n"));
}

/** Returns the positions by the key that {@link keyOf} returns for an object. */
export function placesIn(rendered: unknown, keyOf: (object: Json) => string): Map<string, MarkPlace> {
  const places = new Map<string, MarkPlace>();
  for (const object of Array.isArray(rendered) ? (rendered as unknown[]).filter(isObject) : []) {
    const mark = object[MARK];
    const [, line, file] = /^(\d+):(.*)$/s.exec(typeof mark === "string" ? mark : "") ?? [];
    if (file !== undefined) places.set(keyOf(object), { file, line: Number(line) });
  }
  return places;
}
