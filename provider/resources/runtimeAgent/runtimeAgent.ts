/** RuntimeAgent: configures the agent in a runtime for a Director, and waits for its connection. */

import { messageOf } from "../../../foundation/errors";
import { hasUnknown, IncompleteError, type Context, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { connect } from "../../../kubernetes/connect/connect";
import { Director } from "../../director/director";
import { accessOf } from "../../director/fields";
import { changedKeys, changesBetween } from "../../../foundation/pulumi/changes";
import { secretsOf } from "../../framework/resourceSchema";
import { configure, connected, connectionState, isOurs, readSecret, SECRET } from "./connection";
import { checkAgent, type AgentInputs, type AgentState } from "./inputs";
import { schema } from "./runtimeAgentSchema";

const open = (context: Context, inputs: AgentInputs) => ({
  client: connect(inputs.kubeconfig, inputs.context, { signal: context.signal }),
  director: new Director(accessOf(inputs), context.signal),
});

/** Inputs whose change needs no update. */
const LOCAL: readonly string[] = [
  "url",
  "tokenUrl",
  "clientId",
  "clientSecret",
  "skipCertVerification",
  "timeoutSeconds",
];

export const runtimeAgent: ResourceHandler<AgentInputs, AgentState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given) => Promise.resolve(checkAgent(given)),

  diff(_context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs, ["tenant", "runtimeId", "namespace"]);
    return Promise.resolve({ changes, deleteBeforeReplace: true });
  },

  async create(context, inputs) {
    if (context.preview) return { id: "", state: inputs };
    return { id: inputs.runtimeId, state: await connectAgent(context, inputs) };
  },

  async read(context, _id, old) {
    const { client } = open(context, old.inputs);
    const secret = await readSecret(client, old.inputs);
    if (!secret || !isOurs(secret, old.inputs)) return undefined;
    return { inputs: old.inputs, state: { ...old.state, connectionState: await connectionState(client) } };
  },

  async update(context, _id, old, inputs) {
    if (context.preview || hasUnknown(inputs)) return inputs;
    const changed = changedKeys(old.inputs, inputs);
    const isWhole = old.state.connectionState !== undefined || !inputs.connect;
    if (isWhole && changed.length > 0 && changed.every((key) => LOCAL.includes(key)))
      return { ...old.state, ...inputs };
    return connectAgent(context, inputs);
  },

  async delete(context, _id, old) {
    const { client } = open(context, old.inputs);
    const secret = await readSecret(client, old.inputs);
    if (!secret || !isOurs(secret, old.inputs)) return;
    const { namespace, uid } = secret.metadata;
    await client.remove({ apiVersion: "v1", kind: "Secret", namespace, name: SECRET }, { uid });
  },
};

async function connectAgent(context: Context, inputs: AgentInputs): Promise<AgentState> {
  const { runtimeId, labels } = inputs;
  const { client, director } = open(context, inputs);
  const secret = await readSecret(client, inputs);
  const isThere = secret !== undefined && isOurs(secret, inputs);
  context.log("status", "stage: ConnectRuntimeAgent");
  await director.amend(runtimeId, { labels, ...(isThere ? {} : { statusCondition: "PROVISIONING" }) });
  if (!isThere) await configure(client, director, inputs);
  // Not awaited, but the agent may already be connected.
  if (!inputs.connect) return { ...inputs, connectionState: await connectionState(client) };
  try {
    const state = await connected(context, client, director, inputs);
    await director.amend(runtimeId, { statusCondition: "CONNECTED" });
    return { ...inputs, connectionState: state };
  } catch (error) {
    context.signal.throwIfAborted();
    await director.amend(runtimeId, { statusCondition: "FAILED" }).catch((second: unknown) => {
      context.log("warning", `the Director does not know of this failure: ${messageOf(second)}`);
    });
    throw new IncompleteError(messageOf(error), runtimeId, inputs);
  }
}
