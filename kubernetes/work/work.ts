/** An operation on a cluster: its client, owner and deadline. */

import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../foundation/pulumi/resource";
import type { Client } from "../client/client";
import { connect } from "../connect/connect";
import { openGuard, type Guard } from "../guard/guard";
import type { KubeObject } from "../objects/objects";
import { Unknown } from "./unknown";

export interface Work {
  readonly client: Client;
  /** The target, for messages: `set runtimes/acme`. */
  readonly title: string;
  readonly signal: AbortSignal;
  /** Deadline, as in Date.now(). `timeoutSeconds` is the configured timeout, for messages. */
  readonly deadline: number;
  readonly timeoutSeconds: number;
  readonly log: Context["log"];
  /** Set if a lacking right leaves something open instead of failing: in previews and refreshes. */
  readonly unknown?: Unknown;
  /** Set if data is protected. */
  readonly guard?: Guard;
  /** Throws if another stack has taken over since the operation began. */
  readonly requireOwner?: () => Promise<void>;
  /** Why an object belongs to another owner, so that it is neither changed nor deleted. Undefined if it does not. */
  readonly foreign?: (live: KubeObject) => string | undefined | Promise<string | undefined>;
}

/** A preview does not wait for an unavailable cluster. */
const PREVIEW_PATIENCE_MS = 2_000;

/** Inputs that all such operations share. */
interface WorkInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly timeoutSeconds?: number;
  /** User to impersonate. */
  readonly as?: string;
  readonly protectData?: boolean;
}

export function openWork(context: Context, title: string, place: WorkInputs, defaultTimeoutSeconds: number): Work {
  setMaxListeners(0, context.signal); // One listener per request in progress.
  const timeoutSeconds = context.timeoutSeconds ?? place.timeoutSeconds ?? defaultTimeoutSeconds;
  const patienceMs = context.preview ? PREVIEW_PATIENCE_MS : undefined;
  const client = connect(place.kubeconfig, place.context, { signal: context.signal, patienceMs });
  return {
    client: place.as === undefined ? client : client.as({ user: place.as }),
    title,
    signal: context.signal,
    timeoutSeconds,
    deadline: Date.now() + timeoutSeconds * 1000,
    log: (severity, message) => context.log(severity, message),
    ...(context.preview && { unknown: new Unknown(place.as) }),
    ...(place.protectData && { guard: openGuard(client, context.urn) }),
  };
}

const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Polls until the answer is defined, with increasing delays. After the deadline, throws what `late` returns. Throws
 * AbortError if the engine cancels.
 */
export async function until<T>(
  site: Pick<Work, "signal" | "deadline">,
  ask: () => Promise<T | undefined>,
  late: () => Promise<Error>,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    site.signal.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() >= site.deadline) throw await late();
    await sleep(Math.min(pause, Math.max(1, site.deadline - Date.now())), undefined, { signal: site.signal });
  }
}
