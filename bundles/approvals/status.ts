/** Decides from the history whether content may be applied. Pure. */

import { asksNothing, more, NOTHING, type Asks } from "../permissions/asks";
import type { Approval } from "./approval";

/** When content needs an approval: never; if it asks for more than what was approved before; whenever it is new. */
export const WHEN = ["never", "more", "always"] as const;
export type When = (typeof WHEN)[number];

export type ApprovalStatus =
  | { readonly state: "approved"; readonly approval: Approval }
  /** There is no decision, and none is needed. */
  | { readonly state: "free" }
  | { readonly state: "denied"; readonly approval: Approval }
  /** There is no decision yet, or only one about less. `more`: what it asks for beyond the approval. */
  | { readonly state: "open"; readonly more: Asks };

/**
 * `history`: decisions about this bundle, oldest first. The last decision about a digest counts, for the permissions
 * that it lists: these come from the user who requested it and need not be true. `content`: digest of the content
 * alone, if `digest` covers values too. Denying the content denies it with any values.
 */
export function approvalStatus(
  history: readonly Approval[],
  digest: string,
  asks: Asks,
  when: When = "more",
  content = digest,
): ApprovalStatus {
  const decided = history.filter(({ decision }) => decision !== "Requested");
  const lastOn = (one: string): Approval | undefined => decided.findLast((approval) => approval.digest === one);
  const last = lastOn(digest);
  const denied = [last, lastOn(content)].find((approval) => approval?.decision === "Denied");
  if (denied !== undefined) return { state: "denied", approval: denied };
  const before = approvalBefore(decided, digest);
  const beyond = more(before?.asks ?? NOTHING, asks);
  if (before?.digest === digest && asksNothing(beyond)) return { state: "approved", approval: before };
  const isFree = when === "never" || (when === "more" && asksNothing(beyond));
  if (isFree && before?.digest !== digest && confinedUsers(decided).length === 0) return { state: "free" };
  return { state: "open", more: beyond };
}

/** Users who are confined to the last content that was approved, if there are any. */
export const confinedUsers = (history: readonly Approval[]): readonly string[] =>
  history.findLast(({ decision }) => decision !== "Requested")?.confined ?? [];

/**
 * Returns the approval that a request goes beyond: of the same content, or else the last one. From confined users, the
 * API server accepts only the content that was approved last.
 */
export function approvalBefore(history: readonly Approval[], digest: string): Approval | undefined {
  const last = history.findLast((one) => one.decision !== "Requested" && one.digest === digest);
  return last?.decision === "Approved" && confinedUsers(history).length === 0 ? last : approvedBefore(history);
}

/** Returns the last content that was approved and not denied later. */
export function approvedBefore(history: readonly Approval[]): Approval | undefined {
  const last = new Map<string, Approval>();
  for (const approval of history) {
    if (approval.decision === "Requested") continue;
    last.delete(approval.digest);
    last.set(approval.digest, approval);
  }
  return [...last.values()].findLast(({ decision }) => decision === "Approved");
}
