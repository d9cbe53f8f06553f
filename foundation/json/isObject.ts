/** A JSON object with unchecked fields. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses JSON; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON; any other text is returned as it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parses a JSON object; an empty one for any other text. */
export function objectIn(text: string): Json {
  const value = jsonIn(text);
  return isObject(value) ? value : {};
}
