/** DirectorRuntime: a runtime registered in a Director, which assigns its id. */

import { hasUnknown, UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { withInstance } from "../../../kubernetes/identity/ownerId";
import { Director } from "../../director/director";
import { accessOf } from "../../director/fields";
import { changedKeys, changesBetween } from "../../../foundation/pulumi/changes";
import { foreignPart } from "../../framework/foreignPart";
import { secretsOf } from "../../framework/resourceSchema";
import { checkRuntime, type RuntimeInputs, type RuntimeState } from "./inputs";
import { findRegistration, OWNER, registered, runtimeIdOf } from "./registration";
import { schema } from "./directorRuntimeSchema";

/** Inputs of the connection, not of the runtime. */
const WAY: readonly string[] = ["url", "tokenUrl", "clientId", "clientSecret", "skipCertVerification"];

export const directorRuntime: ResourceHandler<RuntimeInputs, RuntimeState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given, origin) => Promise.resolve(withInstance(checkRuntime(given), origin)),

  diff(_context, _id, old, inputs) {
    // A runtime belongs to one tenant, so another tenant needs a replacement.
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs, ["tenant"]), deleteBeforeReplace: true });
  },

  async create(context, inputs) {
    if (context.preview) return { id: "", state: { ...inputs, runtimeId: UNKNOWN } };
    const runtimeId = await registered(new Director(accessOf(inputs), context.signal), inputs);
    return { id: runtimeId, state: { ...inputs, runtimeId } };
  },

  async read(context, id, old) {
    if (typeof old.inputs.url !== "string") {
      throw new Error(
        `a DirectorRuntime can't be imported (${id}), because a Director does not give the credentials for itself; run pulumi up of the stack instead`,
      );
    }
    const director = new Director(accessOf(old.inputs), context.signal);
    const runtimeId = runtimeIdOf(id, old.state) ?? (await findRegistration(director, old.inputs));
    const found = runtimeId === undefined ? undefined : await director.get(runtimeId);
    if (!found) return undefined;
    const { name, description, labels: now } = found;
    const labels = old.inputs.labels && pick(now, Object.keys(old.inputs.labels));
    const inputs = { ...old.inputs, name, description, ...(labels ? { labels } : {}) };
    return { inputs, state: { ...old.state, ...inputs, runtimeId: found.id } };
  },

  async update(context, id, old, inputs) {
    const runtimeId = runtimeIdOf(id, old.state);
    if (context.preview || hasUnknown(inputs)) return { ...inputs, runtimeId: runtimeId ?? UNKNOWN };
    if (runtimeId === undefined) {
      return { ...inputs, runtimeId: await registered(new Director(accessOf(inputs), context.signal), inputs) };
    }
    const state = { ...inputs, runtimeId };
    const changed = changedKeys(old.inputs, inputs);
    if (changed.every((key) => WAY.includes(key))) return state;
    await change(context, runtimeId, old.inputs, inputs);
    return state;
  },

  async delete(context, id, old) {
    const other = foreignPart(context);
    if (other !== undefined) return context.log("warning", `the registration is left alone: ${other}`);
    const director = new Director(accessOf(old.inputs), context.signal);
    const runtimeId = runtimeIdOf(id, old.state) ?? (await findRegistration(director, old.inputs));
    if (runtimeId !== undefined) await director.unregister(runtimeId);
  },
};

/** Keeps labels of others, such as those of the agent that identify the cluster. */
async function change(context: Context, id: string, old: RuntimeInputs, inputs: RuntimeInputs): Promise<void> {
  const director = new Director(accessOf(inputs), context.signal);
  const now = await director.get(id);
  if (!now)
    throw new Error(
      `the runtime ${id} is not registered any more; run pulumi refresh, and the next update registers it`,
    );
  const former = Object.keys(old.labels ?? {});
  const foreign = pick(
    now.labels,
    Object.keys(now.labels).filter((key) => !former.includes(key)),
  );
  const { name, description, owner } = inputs;
  const labels = { ...foreign, ...inputs.labels, ...(owner !== undefined && { [OWNER]: owner }) };
  await director.update(id, { name, description, labels, statusCondition: now.condition });
}

const pick = (object: Properties, keys: readonly string[]): Properties =>
  Object.fromEntries(keys.flatMap((key) => (key in object ? [[key, object[key]]] : [])));
