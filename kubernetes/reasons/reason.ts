/** Why something is not ready, in words for a user. */

export interface Reason {
  readonly text: string;
  /** It can't come right by itself: somebody must change something. */
  readonly final: boolean;
}

export const reason = (text: string, final = false): Reason => ({ text: text.trim(), final });

/** One line, of a length that one can read. */
export function brief(text: string, length = 400): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
