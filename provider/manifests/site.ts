/** One piece of work on one set: whose, where, until when. */

import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../framework/resource";
import type { Client } from "../kubernetes/client";
import { connect } from "../kubernetes/connect";
import type { SetInputs } from "./inputs";
import { DEFAULT_TIMEOUT_SECONDS } from "./inputs";
import type { Owner } from "./ownership";

export interface Site {
  readonly client: Client;
  readonly owner: Owner;
  readonly inputs: SetInputs;
  readonly signal: AbortSignal;
  /** When the work has to be done, as Date.now(); and the seconds it was given, for messages. */
  readonly deadline: number;
  readonly timeoutSeconds: number;
  readonly log: Context["log"];
}

/** A preview does not wait for a cluster that is away. */
const PREVIEW_PATIENCE_MS = 2_000;

export function openSite(context: Context, inputs: SetInputs): Site {
  setMaxListeners(0, context.signal); // One for each request under way.
  const timeoutSeconds = context.timeoutSeconds ?? inputs.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const patienceMs = context.preview ? PREVIEW_PATIENCE_MS : undefined;
  return {
    client: connect(inputs.kubeconfig, inputs.context, { signal: context.signal, patienceMs }),
    owner: { set: inputs.set, namespace: inputs.namespace },
    inputs,
    signal: context.signal,
    timeoutSeconds,
    deadline: Date.now() + timeoutSeconds * 1000,
    log: (severity, message) => context.log(severity, message),
  };
}

const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Asks until the answer is something, quickly at first and then slower. When time is up, `late` says what to throw.
 * Throws AbortError when the engine cancels.
 */
export async function until<T>(
  site: Pick<Site, "signal" | "deadline">,
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
