/** Configures the agent in a cluster, and waits until it is connected. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { Director } from "../../director/director";
import type { AgentInputs } from "./inputs";

export const SECRET = "compass-agent-configuration";
const CONNECTION = {
  apiVersion: "compass.kyma-project.io/v1alpha1",
  kind: "CompassConnection",
  name: "compass-connection",
};
/** The agent is connected in all these states; in the last two, only its synchronization fails. */
const CONNECTED = ["Synchronized", "SynchronizationFailed", "MetadataUpdateFailed"];
const FAILED = "ConnectionFailed";

interface Pauses {
  readonly absentMs: number;
  readonly connectingMs: number;
  /** How long a new token may take before it counts as unusable, too. */
  readonly renewedMs: number;
}
const PAUSES: Pauses = { absentMs: 1_000, connectingMs: 1_000, renewedMs: 120_000 };

/** Reads the existing Secret, whatever its owner. */
export const readSecret = (client: Client, { namespace }: Pick<AgentInputs, "namespace">) =>
  client.get({ apiVersion: "v1", kind: "Secret", namespace, name: SECRET });

/** Whether a Secret configures the agent for this runtime. */
export function isOurs(secret: KubeObject, { runtimeId }: Pick<AgentInputs, "runtimeId">): boolean {
  const id = textAt(secret, "data", "RUNTIME_ID") ?? "";
  return Buffer.from(id, "base64").toString("utf8") === runtimeId;
}

/** A token works once, so each configuration requests a new one. */
export async function configure(client: Client, director: Director, inputs: AgentInputs): Promise<void> {
  const { namespace, runtimeId, tenant } = inputs;
  const { token, connectorURL } = await director.oneTimeToken(runtimeId);
  await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const data = { CONNECTOR_URL: connectorURL, RUNTIME_ID: runtimeId, TENANT: tenant, TOKEN: token };
  await client.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: SECRET },
    type: "Opaque",
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  });
}

/** State of the connection; undefined while the agent has not reported one. */
export async function connectionState(client: Client): Promise<string | undefined> {
  try {
    return textAt(await client.get(CONNECTION), "status", "connectionState");
  } catch (error) {
    if (error instanceof UnknownKindError) return undefined; // The agent's installation creates this kind.
    throw error;
  }
}

const isConnected = (state: string | undefined): boolean => state !== undefined && CONNECTED.includes(state);

/** Waits until the agent is connected, with a new token after each failed attempt. Returns the state. */
export async function connected(
  context: Pick<Context, "signal" | "log" | "timeoutSeconds">,
  client: Client,
  director: Director,
  inputs: AgentInputs,
  pauses = PAUSES,
): Promise<string> {
  const seconds = context.timeoutSeconds ?? inputs.timeoutSeconds;
  const deadline = Date.now() + seconds * 1000;
  let renewableFrom = 0;
  for (;;) {
    const state = await connectionState(client).catch((error: unknown) => {
      if (!(error instanceof UnreachableError)) throw error;
      return `unknown: ${error.message}`;
    });
    if (state !== undefined && isConnected(state)) {
      if (state !== "Synchronized") context.log("warning", `the agent is connected, and reports ${state}`);
      return state;
    }
    if (Date.now() > deadline) {
      const found = state === undefined ? "it has not reported anything" : `it reports ${state}`;
      throw new Error(
        `the agent in ${inputs.cluster} is not connected to the Director after ${seconds} seconds: ${found}; is the component compass-runtime-agent installed?`,
      );
    }
    context.log("status", `stage: WaitForAgentToConnect (${state ?? "no report yet"})`);
    if (state === FAILED && Date.now() >= renewableFrom) {
      context.log("warning", "the agent could not connect; it gets another token");
      await configure(client, director, inputs);
      renewableFrom = Date.now() + pauses.renewedMs;
    }
    const pause = state === undefined ? pauses.absentMs : pauses.connectingMs;
    await sleep(Math.max(1, Math.min(pause, deadline - Date.now() + 1)), undefined, { signal: context.signal });
  }
}
