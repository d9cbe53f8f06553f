/** A JSON object with unchecked fields. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses a JSON object; an empty one for any other text. */
export function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
