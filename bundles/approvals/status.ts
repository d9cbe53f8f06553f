/** Whether content may be applied, by what was decided. Pure. */

import { asksNothing, more, NOTHING, type Asks } from "../permissions/asks";
import type { Approval } from "./approval";

/**
 * When content must be approved: never; when it asks for more than what was approved before; whenever it is new.
 */
export const WHEN = ["never", "more", "always"] as const;
export type When = (typeof WHEN)[number];

export type ApprovalStatus =
  | { readonly state: "approved"; readonly approval: Approval }
  /** Nobody decided about it, and nobody has to. */
  | { readonly state: "free" }
  | { readonly state: "denied"; readonly approval: Approval }
  /** Nobody decided about it yet, or about less. `more` is what it asks for beyond what was approved. */
  | { readonly state: "open"; readonly more: Asks };

/**
 * `history`: the decisions about this bundle, oldest first. The last one about a digest counts, for what was approved of it:
 * an approval rests on what somebody reported that the content asks for, which need not be true.
 * `content`: the digest of the content alone, where the other one stands for values too; who denies it denies it with any.
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
  if (last !== undefined) {
    const unreviewed = more(last.asks, asks);
    return asksNothing(unreviewed) ? { state: "approved", approval: last } : { state: "open", more: unreviewed };
  }
  const beyond = more(approvedBefore(decided)?.asks ?? NOTHING, asks);
  if (when === "never" || (when === "more" && asksNothing(beyond))) return { state: "free" };
  return { state: "open", more: beyond };
}

/** The last content that was approved and not denied since. */
export function approvedBefore(history: readonly Approval[]): Approval | undefined {
  const last = new Map<string, Approval>();
  for (const approval of history) {
    if (approval.decision === "Requested") continue;
    last.delete(approval.digest);
    last.set(approval.digest, approval);
  }
  return [...last.values()].findLast(({ decision }) => decision === "Approved");
}

/** Whether this content may be applied without anybody being asked. */
export const isApproved = (history: readonly Approval[], digest: string, asks: Asks): boolean =>
  ["approved", "free"].includes(approvalStatus(history, digest, asks).state);
