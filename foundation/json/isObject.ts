/** A JSON object with unchecked fields. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
