/** One piece of work on one job: where, until when. */

import { setMaxListeners } from "node:events";
import type { Context } from "../framework/resource";
import type { Client } from "../kubernetes/client";
import { connect } from "../kubernetes/connect";
import type { JobInputs } from "./inputs";
import { DEFAULT_TIMEOUT_SECONDS, nameOf } from "./inputs";
import { Master } from "./master";

export interface Site {
  readonly client: Client;
  readonly master: Master;
  readonly namespace: string;
  /** Name of the job, for messages. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** When the work has to be done, as Date.now(); and the seconds it was given, for messages. */
  readonly deadline: number;
  readonly timeoutSeconds: number;
  readonly log: Context["log"];
}

/** A preview does not wait for a cluster that is away. */
const PREVIEW_PATIENCE_MS = 2_000;

export function openSite(context: Context, inputs: JobInputs): Site {
  setMaxListeners(0, context.signal); // One for each request under way.
  const timeoutSeconds = context.timeoutSeconds ?? inputs.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const patienceMs = context.preview ? PREVIEW_PATIENCE_MS : undefined;
  const client = connect(inputs.kubeconfig, inputs.context, { signal: context.signal, patienceMs });
  const service = { namespace: inputs.namespace, name: inputs.service, port: inputs.port };
  return {
    client,
    master: new Master(client, service, context.signal),
    namespace: inputs.namespace,
    name: nameOf(inputs),
    signal: context.signal,
    timeoutSeconds,
    deadline: Date.now() + timeoutSeconds * 1000,
    log: (severity, message) => context.log(severity, message),
  };
}
