/** What the result of a reconciliation means: when to look again, and what to report. Pure. */

import type { Reconciled } from "../../engine/bundles/reconcile";
import { count } from "../../foundation/text/numbers";
import type { BundleRow, RestoredObject } from "../database/watchTables";

/** `failed`: it ended with an error, such as a missing approval. */
export type Result = Pick<Reconciled, "reason" | "repaired" | "left"> & {
  readonly standing: Reconciled["standing"] | "failed";
};

/** From this number of looks in a row that restored something, somebody works against it. */
const CONTESTED = 3;
const LONGEST_SECONDS = 24 * 3600;
const LONGEST_TEXT = 2_000;

/** Number of looks in a row that restored something. */
export const streakAfter = ({ streak }: Pick<BundleRow, "streak">, { repaired }: Result): number =>
  repaired.length > 0 ? streak + 1 : 0;

/**
 * Seconds until the next look: the interval, doubled for each look in a row that restored something after the first, up
 * to a day; and up to a tenth more or less. `random`: from 0 to 1.
 */
export function secondsUntilNext(everySeconds: number, streak: number, random: number): number {
  const longest = Math.max(everySeconds, LONGEST_SECONDS);
  const pause = Math.min(everySeconds * 2 ** Math.max(0, streak - 1), longest);
  return Math.round(pause * (0.9 + random / 5));
}

interface News {
  readonly level: "info" | "warning";
  readonly text: string;
}

/** Undefined if there is nothing new. `warned`: whether the last notice about the bundle was a warning. */
export function newsOf(
  before: Pick<BundleRow, "reason">,
  { standing, repaired }: Result,
  text: string | null,
  { streak, warned }: { readonly streak: number; readonly warned: boolean },
): News | undefined {
  if (standing === "busy" || standing === "paused") return undefined;
  const restored = repaired.length === 0 ? "" : `restored ${listed(repaired)}`;
  if (streak >= CONTESTED) {
    const again = `something changes it again and again: each of the last ${streak} looks ${restored}`;
    return streak === CONTESTED ? { level: "warning", text: again } : undefined;
  }
  if (text !== null && (text !== before.reason || !warned)) {
    return { level: "warning", text: [restored, text].filter((one) => one !== "").join("\n") };
  }
  if (restored !== "") return { level: "info", text: restored };
  return warned && text === null ? { level: "info", text: "it is as it was applied again" } : undefined;
}

/** Why the bundle is not as it was applied; null if it is. */
export function reasonOf({ reason, left }: Result): string | null {
  const lines = [...(reason === undefined ? [] : [reason]), ...left.map(({ object, text }) => `${object}: ${text}`)];
  const all = lines.join("\n");
  if (all === "") return null;
  return all.length > LONGEST_TEXT ? `${all.slice(0, LONGEST_TEXT)}…` : all;
}

/** Enough to see what happens. */
const MOST_RESTORED = 100;

/** What the API shows of a look. `restored`: undefined if it restored nothing, so that the last restoration stays. */
export function shownOf({ repaired, left }: Result): {
  readonly restored: readonly RestoredObject[] | undefined;
  readonly managers: readonly string[];
} {
  const restored = repaired.slice(0, MOST_RESTORED).map(({ object, text }) => ({ object, text }));
  const managers = new Set([...repaired, ...left].flatMap((one) => one.managers ?? []));
  return { restored: restored.length > 0 ? restored : undefined, managers: [...managers].sort() };
}

const MOST = 10;

function listed(repaired: Reconciled["repaired"]): string {
  const shown = repaired.slice(0, MOST).map(({ object, text }) => `${object}: ${text}`);
  const more = repaired.length - shown.length;
  return [count(repaired.length, "object"), ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
