/** Allows content to be applied only if it needs no approval or has one. */

import { setTimeout as sleep } from "node:timers/promises";
import { isForbidden } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject, Ref } from "../../kubernetes/objects/objects";
import { asksNothing, more, type Asks } from "../permissions/asks";
import { asksIn } from "../permissions/around";
import { requestId, type Approval, type Instance } from "./approval";
import { isGuarded, refuseGuards, TooOld } from "./guard";
import { approversIn, requestText } from "./requested";
import { approvalStatus, type When } from "./status";
import { findApprovals, installApprovals, isUnknown, writeApproval } from "./store";

/** An object that is about to be applied, with its namespace if it has one. */
export interface Incoming {
  readonly object: KubeObject;
  readonly namespace?: string;
}

export interface GateOptions {
  /** Default: `more`. */
  readonly when?: When;
  /** Digest of the content alone, if the approval also covers values. */
  readonly content?: string;
  /** What a missing approval leads to: an error at once, or after waiting. */
  readonly otherwise: "fail" | "wait";
  /** Deadline of the wait, in milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Reports what it waits for; `status` lines repeat. */
  readonly log: (severity: "warning" | "info" | "status", message: string) => void;
  /** A preview: nothing is written, not even the request. */
  readonly preview?: boolean;
  /** Objects of the bundle that are going to be deleted. */
  readonly leaving?: readonly Ref[];
  /** A rollback to earlier content: needs no new approval, but the content must not have been denied. */
  readonly back?: boolean;
}

/** The content is not approved, or is denied. The message contains the command to run. */
export class NotApproved extends Error {
  override readonly name = "NotApproved";
}

const PAUSE_MS = 2_000;

/** Returns when the content may be applied, with the approval if there is one. Throws {@link NotApproved}. */
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
  const look = (): Promise<Asks> => asksIn(client, objects, bundle.namespace, inCluster, options.leaving);
  let asks = await look();
  const title = `bundle ${bundle.namespace}/${bundle.name}`;
  let approvers: readonly string[] | undefined;
  for (let first = true; ;) {
    const history = await findApprovals(client, bundle);
    const status = approvalStatus(history, digest, asks, options.when, options.content);
    if (status.state === "denied") {
      const { by, reason } = status.approval;
      throw new NotApproved(`${title} at ${digest} was denied by ${by}${reason === undefined ? "" : `: ${reason}`}`);
    }
    if (options.back) return undefined;
    if (status.state !== "open") {
      const now: Asks = first ? asks : await look();
      // Others have changed the cluster, so that the same content does more than what was approved.
      if (!asksNothing(more(asks, now))) {
        [asks, first] = [now, true];
        continue;
      }
      const approval = status.state === "approved" ? status.approval : undefined;
      if (!asksNothing(asks) || approval !== undefined) await askGuard(client, bundle);
      if (!first) options.log("info", `approved by ${approval?.by ?? "an earlier decision"}`);
      return approval;
    }
    const failure = first && !options.preview ? await request(client, { bundle, digest, asks }, history) : undefined;
    approvers ??= await approversIn(client);
    const asked = { digest, asks };
    const text = [openText(client, bundle, asked, requestText(asked, history, approvers)), ...(failure ?? [])].join(
      "\n",
    );
    if (options.preview || options.otherwise === "fail") throw new NotApproved(text);
    const left = options.deadline - Date.now();
    if (left <= 0) throw new NotApproved(`${text}\nNo approval arrived in time`);
    if (first) options.log("warning", `${text}\nWaiting for the approval`);
    options.log("status", `waits for an approval, ${Math.ceil(left / 1000)} seconds more`);
    await sleep(Math.min(PAUSE_MS, left), undefined, { signal: options.signal });
    first = false;
  }
}

/** Text about what needs an approval, and the commands to run. */
function openText(
  client: Client,
  { name, namespace }: Instance,
  asked: Pick<Approval, "digest" | "asks">,
  [first = "", ...lines]: readonly string[],
): string {
  return [
    `bundle ${namespace}/${name} at ${asked.digest} must be approved. ${first}`,
    ...lines,
    `To approve or deny it in the cluster ${client.connection.server}:`,
    ...["approve", "deny"].map(
      (verb) => `  kubectl bundle ${verb} ${name} -n ${namespace} --request ${requestId(asked)}`,
    ),
  ].join("\n");
}

/** Throws if approvals are not protected: they could be forged. */
async function askGuard(client: Client, bundle: Instance): Promise<void> {
  if ((await isGuarded(client, bundle)) !== false) return;
  throw new NotApproved(
    "approvals in this cluster are not protected: the policy bundleapprovals.stackyard.dev is missing or was changed. " +
      "Approve or deny anything to restore it, and check who may change policies",
  );
}

/**
 * Stores a request, so that it appears in lists and can be approved without access to the bundle's sources. Returns
 * additional lines for the error if the cluster does not support approvals.
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
    // Without permission to request, or to install approvals, the error still contains the command.
    if (isUnknown(error) || isForbidden(error)) return undefined;
    throw error;
  }
  return undefined;
}
