/** Lets content into a cluster only when nobody must approve it, or somebody did. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/client/objects";
import { asks as asksOf, asksNothing, more, type Asks } from "../permissions/asks";
import { waitingBindings } from "../permissions/rbac/bindings";
import { asksText } from "../permissions/text";
import type { Approval, Instance } from "./approval";
import { isGuarded, refuseGuards, TooOld } from "./guard";
import { approvalStatus, type ApprovalStatus, type When } from "./status";
import { findApprovals, installApprovals, isUnknown, writeApproval } from "./store";

/** An object that is about to be applied, and its namespace where it has one. */
export interface Incoming {
  readonly object: KubeObject;
  readonly namespace?: string;
}

export interface GateOptions {
  /** Default: `more`. */
  readonly when?: When;
  /** Digest of the content alone, where values belong to what is approved. */
  readonly content?: string;
  /** What follows where an approval is missing: an error at once, or when time is up. */
  readonly otherwise: "fail" | "wait";
  /** Until when to wait, as Date.now(). */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Reports that it waits, and for what; `status` is reported again and again. */
  readonly log: (severity: "warning" | "info" | "status", message: string) => void;
  /** Nothing may be written, not even the request: a preview. */
  readonly preview?: boolean;
  /** Previous content is applied again: it needs no new approval, but must not have been denied. */
  readonly back?: boolean;
}

/** Nobody approved it, or somebody denied it. The message names the command to run. */
export class NotApproved extends Error {
  override readonly name = "NotApproved";
}

const PAUSE_MS = 2_000;

/** Returns when the content may be applied; the approval, where there is one. Throws {@link NotApproved}. */
export async function gate(
  client: Client,
  bundle: Instance,
  digest: string,
  incoming: readonly Incoming[],
  options: GateOptions,
): Promise<Approval | undefined> {
  const objects = incoming.map(({ object }) => object);
  refuseGuards(objects);
  if (options.when === "never") return undefined;
  const inCluster = incoming.filter(({ namespace }) => namespace === undefined).map(({ object }) => object);
  const asks = asksOf(objects, bundle.namespace, inCluster, await waitingBindings(client, objects, bundle.namespace));
  const title = `bundle ${bundle.namespace}/${bundle.name}`;
  for (let first = true; ; first = false) {
    const history = await findApprovals(client, bundle);
    const status = approvalStatus(history, digest, asks, options.when, options.content);
    if (status.state === "denied") {
      const { by, reason } = status.approval;
      throw new NotApproved(`${title} at ${digest} was denied by ${by}${reason === undefined ? "" : `: ${reason}`}`);
    }
    if (options.back) return undefined;
    if (status.state !== "open") {
      const approval = status.state === "approved" ? status.approval : undefined;
      if (!asksNothing(asks) || approval !== undefined) await askGuard(client, bundle);
      if (!first) options.log("info", `approved by ${approval?.by ?? "what was said before"}`);
      return approval;
    }
    const failure = first && !options.preview ? await request(client, { bundle, digest, asks }, history) : undefined;
    const text = [openText(client, bundle, digest, { history, status }), ...(failure ?? [])].join("\n");
    if (options.preview || options.otherwise === "fail") throw new NotApproved(text);
    const left = options.deadline - Date.now();
    if (left <= 0) throw new NotApproved(`${text}\nNo approval arrived in time`);
    if (first) options.log("warning", `${text}\nWaiting for the approval`);
    options.log("status", `waits for an approval, ${Math.ceil(left / 1000)} seconds more`);
    await sleep(Math.min(PAUSE_MS, left), undefined, { signal: options.signal });
  }
}

/** What is asked for and was not approved, and the commands to run. */
function openText(
  client: Client,
  { name, namespace }: Instance,
  digest: string,
  { history, status }: { history: readonly Approval[]; status: ApprovalStatus & { state: "open" } },
): string {
  const known = history.some((one) => one.decision === "Approved" && one.digest === digest);
  const beyond = known
    ? "It requests more than what was approved of it"
    : "It requests more than what was approved so far";
  const lines = asksText(status.more);
  return [
    `bundle ${namespace}/${name} at ${digest} must be approved. ${beyond}:`,
    ...(lines.length > 0 ? lines : ["nothing but to be applied"]).map((line) => `  ${line}`),
    `To approve or deny it in the cluster ${client.connection.server}:`,
    ...["approve", "deny"].map((verb) => `  kubectl bundle ${verb} ${name} -n ${namespace} --digest ${digest}`),
  ].join("\n");
}

/** An approval that anybody could have made in anybody's name is none. */
async function askGuard(client: Client, bundle: Instance): Promise<void> {
  if ((await isGuarded(client, bundle)) !== false) return;
  throw new NotApproved(
    "approvals in this cluster are not protected: the policy bundleapprovals.stackyard.dev is missing or was changed. " +
      "Approve or deny anything to restore it, and check who may change policies",
  );
}

/**
 * So that it is seen in lists, and can be approved where its sources are not at hand. What stands in the way is reported where
 * that matters to who reads the command.
 */
async function request(
  client: Client,
  { bundle, digest, asks }: { bundle: Instance; digest: string; asks: Asks },
  history: readonly Approval[],
): Promise<readonly string[] | undefined> {
  const before = history.findLast((one) => one.digest === digest);
  const isSame = before && asksNothing(more(before.asks, asks)) && asksNothing(more(asks, before.asks));
  if (before?.decision === "Requested" && isSame) return undefined;
  const asked = { bundle, digest, decision: "Requested", asks } as const;
  try {
    await writeApproval(client, asked).catch(async (error: unknown) => {
      if (!isUnknown(error)) throw error;
      await installApprovals(client);
      await writeApproval(client, asked);
    });
  } catch (error) {
    if (error instanceof TooOld) return [`That can't be done there: ${error.message}`];
    // Who may not ask, or not install what one asks with, gets the command anyway.
    if (isUnknown(error) || (error instanceof ApiError && error.code === 403)) return undefined;
    throw error;
  }
  return undefined;
}
