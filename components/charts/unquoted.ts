import { load, YAMLException } from "js-yaml";
import type { Values } from "./merge";

/**
 * Texts as they must be given to a template that prints them without quotes: what YAML would read as something else,
 * such as `true`, `8085` or `a: b`, gets quotes of its own. What has them already is left as it is.
 */
export const printedUnquoted = (texts: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, quotedIfNeeded(String(text))]));

const quotedIfNeeded = (text: string): string => (readsAsItself(text) ? text : JSON.stringify(text));

function readsAsItself(text: string): boolean {
  // The printed line is `key: text`; on a line of its own a text may be read otherwise.
  try {
    const value = (load(`key: ${text}`) as { key?: unknown }).key;
    return typeof value === "string" && (value === text || /^["']/.test(text));
  } catch (error) {
    if (error instanceof YAMLException) return false;
    throw error;
  }
}
