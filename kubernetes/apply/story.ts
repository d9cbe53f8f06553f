/** How an update that is incomplete is reported. */

import { describe, parseInventoryKey } from "../client/objects";

/** So many objects are named. */
const SHOWN = 12;

/** `there` are inventory keys of what was made, or begun. */
export function storyOf(error: unknown, there: readonly string[]): string {
  const stopped = error instanceof Error && error.name === "AbortError";
  const why = stopped
    ? "stopped, because the update was canceled"
    : error instanceof Error
      ? error.message
      : String(error);
  if (there.length === 0) return why;
  const shown = there.slice(0, SHOWN).map((key) => describe(parseInventoryKey(key)));
  const more = there.length > shown.length ? ` and ${there.length - shown.length} more` : "";
  return `${why}\nCreated objects stay for the next update: ${shown.join(", ")}${more}`;
}
