/** Why something is not ready, for users. */

import { printable } from "../../foundation/text/printable";

export interface Reason {
  readonly text: string;
  /** It won't resolve by itself: a user must change something. */
  readonly final: boolean;
}

export const reason = (text: string, final = false): Reason => ({ text: text.trim(), final });

/** Shortens a text of others, such as a container's last lines, to one readable line. */
export function brief(text: string, length = 400): string {
  const line = printable(text.replace(/\s+/g, " ").trim());
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
