/** DirectorRuntime: a runtime registered in a Director under an id that the Director gives it. */

import { hasUnknown, UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { instanceOf } from "../../../kubernetes/identity/ownerId";
import { Director } from "../../director/director";
import { accessOf } from "../../director/fields";
import { changesBetween } from "../../framework/changes";
import { secretsOf } from "../../framework/resourceSchema";
import { checkRuntime, type RuntimeInputs, type RuntimeState } from "./inputs";
import { schema } from "./schema";

/** Label that only this runtime has. */
const MARK = "stackyard_instance";

/** What is not of the runtime but of the way to it. */
const WAY: readonly string[] = ["url", "tokenUrl", "clientId", "clientSecret", "skipCertVerification"];

export const directorRuntime: ResourceHandler<RuntimeInputs, RuntimeState> = {
  secretProperties: secretsOf(schema),

  check(_context, given, origin) {
    const { inputs, failures } = checkRuntime(given);
    const instance = instanceOf(origin, undefined);
    return Promise.resolve({ inputs: instance === undefined ? inputs : { ...inputs, instance }, failures });
  },

  diff(_context, _id, old, inputs) {
    // In another tenant it is another runtime.
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs, ["tenant"]), deleteBeforeReplace: true });
  },

  async create(context, inputs) {
    if (context.preview) return { id: "", state: { ...inputs, runtimeId: UNKNOWN } };
    const { name, description, labels, instance = "" } = inputs;
    const director = new Director(accessOf(inputs), context.signal);
    const runtimeId = await director.register({ name, description, labels }, { key: MARK, value: instance });
    return { id: runtimeId, state: { ...inputs, runtimeId } };
  },

  async read(context, id, old) {
    if (typeof old.inputs.url !== "string") {
      throw new Error(
        `a DirectorRuntime can't be imported (${id}), because a Director does not give the credentials for itself; run pulumi up of the stack instead`,
      );
    }
    const found = await new Director(accessOf(old.inputs), context.signal).get(id);
    if (!found) return undefined;
    const { name, description, labels: now } = found;
    const labels = old.inputs.labels && pick(now, Object.keys(old.inputs.labels));
    const inputs = { ...old.inputs, name, description, ...(labels ? { labels } : {}) };
    return { inputs, state: { ...old.state, ...inputs } };
  },

  async update(context, id, old, inputs) {
    const state = { ...inputs, runtimeId: id };
    if (context.preview || hasUnknown(inputs)) return state;
    const changed = Object.keys(changesBetween(old.inputs, inputs)).map((path) => path.split(/[.[]/)[0] ?? "");
    if (changed.every((key) => WAY.includes(key))) return state;
    await change(context, id, old.inputs, inputs);
    return state;
  },

  async delete(context, id, old) {
    await new Director(accessOf(old.inputs), context.signal).unregister(id);
  },
};

/** Labels of others stay, as those that say which cluster it is. */
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
  const { name, description } = inputs;
  const labels = { ...foreign, ...inputs.labels };
  await director.update(id, { name, description, labels, statusCondition: now.condition });
}

const pick = (object: Properties, keys: readonly string[]): Properties =>
  Object.fromEntries(keys.flatMap((key) => (key in object ? [[key, object[key]]] : [])));
