/** Describes a request for an approval, in the same words everywhere: what is new, since when, who may approve it. */

import type { Client } from "../../kubernetes/client/client";
import { asksNothing, more, NOTHING, type Asks } from "../permissions/asks";
import { grantsIn } from "../permissions/rbac/grants";
import { gives } from "../permissions/rbac/rules";
import { asksText } from "../permissions/text";
import { GROUP, type Approval } from "./approval";
import { PLURAL } from "./definition";
import { approvalBefore } from "./status";

type Asked = Pick<Approval, "digest" | "asks">;

/** The part of a request that was not approved before. */
export const newIn = ({ digest, asks }: Asked, history: readonly Approval[]): Asks =>
  more(approvalBefore(history, digest)?.asks ?? NOTHING, asks);

/** `approvers` may be empty, if they are not known. */
export function requestText(asked: Asked, history: readonly Approval[], approvers: readonly string[]): string[] {
  const before = approvalBefore(history, asked.digest);
  const known = before?.digest === asked.digest;
  const since = before && !known ? ` (${before.digest}, by ${before.by}, ${before.when.toISOString()})` : "";
  const approved = `what was approved ${known ? "of it" : `so far${since}`}`;
  const lines = asksText(newIn(asked, history)).map((line) => `  ${line}`);
  const nothing = asksNothing(asked.asks) ? "nothing but to be applied" : `nothing beyond ${approved}`;
  return [
    ...(lines.length === 0 ? [`It requests ${nothing}`] : [`It requests more than ${approved}:`, ...lines]),
    ...(approvers.length === 0 ? [] : [`May approve it: ${approvers.join(", ")}`]),
  ];
}

/** Returns subjects that may approve. Empty without the right to list roles. */
export async function approversIn(client: Client): Promise<string[]> {
  const right = { verb: "approve", group: GROUP, resource: PLURAL };
  const grants = await grantsIn(client, ["ClusterRoleBinding"]);
  const found = grants.flatMap(({ subject, rules }) => (rules.some((rule) => gives(rule, right)) ? [subject] : []));
  return [...new Set(found)].sort();
}
