/** Describes an incomplete update. */

import { describe, parseInventoryKey } from "../client/objects";

/** Maximum number of objects to name. */
const SHOWN = 12;

/** `there`: inventory keys of the objects that were applied, or may have been. */
export function incompleteMessage(error: unknown, there: readonly string[]): string {
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
