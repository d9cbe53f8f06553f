import { load, YAMLException } from "js-yaml";
import type { Values } from "../../foundation/json/merge";

/**
 * Quotes strings for a template that prints them without quotes: those that YAML would parse as something else, such as
 * `true`, `8085` or `a: b`. Strings that already have quotes are unchanged.
 */
export const printedUnquoted = (texts: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, quotedIfNeeded(String(text))]));

const quotedIfNeeded = (text: string): string => (readsAsItself(text) ? text : JSON.stringify(text));

function readsAsItself(text: string): boolean {
  // Parses the printed line, `key: text`. YAML may parse the text differently on its own.
  try {
    const value = (load(`key: ${text}`) as { key?: unknown }).key;
    return typeof value === "string" && (value === text || /^["']/.test(text));
  } catch (error) {
    if (error instanceof YAMLException) return false;
    throw error;
  }
}
