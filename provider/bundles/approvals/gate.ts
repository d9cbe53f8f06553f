/** Lets content into a cluster only when nobody has to approve it, or somebody did. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../kubernetes/apiError";
import type { Client } from "../../kubernetes/client";
import type { KubeObject } from "../../kubernetes/objects";
import { asks as asksOf } from "../permissions/asks";
import { asksText } from "../permissions/words";
import type { Approval, Instance } from "./approval";
import { decidesAboutBundles } from "./definition";
import { standingOf, type When } from "./standing";
import { findApprovals, installApprovals, isUnknown, writeApproval } from "./store";

/** An object that is about to be applied, and its namespace where it has one. */
export interface Incoming {
  readonly object: KubeObject;
  readonly namespace?: string;
}

export interface GateOptions {
  /** Default: `more`. */
  readonly when?: When;
  /** What follows where an approval is missing: an error at once, or when time is up. */
  readonly otherwise: "fail" | "wait";
  /** Until when to wait, as Date.now(). */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Tells that it waits, and for what. */
  readonly log: (message: string) => void;
  /** Nothing may be written, not even the request: a preview. */
  readonly preview?: boolean;
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
  const asks = asksOf(objects, bundle.namespace, inCluster);
  const title = `bundle ${bundle.namespace}/${bundle.name}`;
  for (let first = true; ; first = false) {
    const history = await findApprovals(client, bundle);
    const standing = standingOf(history, digest, asks, options.when);
    if (standing.state === "free") return undefined;
    if (standing.state === "approved") return standing.approval;
    if (standing.state === "denied") {
      const { by, reason } = standing.approval;
      throw new NotApproved(`${title} at ${digest} was denied by ${by}${reason === undefined ? "" : `: ${reason}`}`);
    }
    const told = [
      `${title} at ${digest} has to be approved. It asks for what was not approved yet:`,
      ...(asksText(standing.more).length > 0 ? asksText(standing.more) : ["nothing but to be applied"]).map(
        (line) => `  ${line}`,
      ),
      `To approve or deny it: kubectl bundle approve ${bundle.name} -n ${bundle.namespace} --digest ${digest}`,
    ].join("\n");
    if (first && !options.preview) await request(client, { bundle, digest, decision: "Requested", asks }, history);
    if (options.preview || options.otherwise === "fail" || Date.now() >= options.deadline) throw new NotApproved(told);
    if (first) options.log(`${told}\nWaiting for that`);
    await sleep(Math.min(PAUSE_MS, Math.max(1, options.deadline - Date.now())), undefined, { signal: options.signal });
  }
}

/** Content that could approve itself, or take away what asks for approvals. */
function refuseGuards(objects: readonly KubeObject[]): void {
  const guards = objects.filter(decidesAboutBundles).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  if (guards.length === 0) return;
  throw new NotApproved(
    `found ${guards.join(", ")} in the bundle; expected none: these decide about bundles. Take them out`,
  );
}

/** So that it is seen in lists, and can be approved where its sources are not at hand. */
async function request(
  client: Client,
  asked: Omit<Approval, "by" | "when">,
  history: readonly Approval[],
): Promise<void> {
  if (history.some(({ digest }) => digest === asked.digest)) return;
  try {
    await writeApproval(client, asked).catch(async (error: unknown) => {
      if (!isUnknown(error)) throw error;
      await installApprovals(client);
      await writeApproval(client, asked);
    });
  } catch (error) {
    // Who may not ask, or not install what one asks with, is told the command all the same.
    if (isUnknown(error) || (error instanceof ApiError && error.code === 403)) return;
    throw error;
  }
}
