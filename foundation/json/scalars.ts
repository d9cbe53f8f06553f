/** A value if it is a text that is not empty. */
export const asText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A value if it is a number. */
export const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** A text or number as text; empty for anything else. */
export const scalarText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
