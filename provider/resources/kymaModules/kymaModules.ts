/** KymaModules: Kyma of a cluster by the modules of Lifecycle Manager. */

import { messageOf } from "../../../foundation/errors";
import { changedKeys, changesBetween, topKey } from "../../../foundation/pulumi/changes";
import { UNKNOWN, type Context, type Properties, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { connect } from "../../../kubernetes/connect/connect";
import { textAt } from "../../../kubernetes/objects/objects";
import { secretsOf } from "../../framework/resourceSchema";
import { currentKubeconfig } from "./access";
import { checkModules, type ModulesInputs, type ModulesState } from "./inputs";
import { schema } from "./kymaModulesSchema";
import { areSame, IN_CLUSTER, kubeconfigIn, modulesIn } from "./objects";
import { foreign, ifServed, planeClient, planeUid, readPlane } from "./plane";
import { versionsIn } from "./progress";

/** Inputs whose change only updates the state. */
const LOCAL: readonly string[] = [
  ...["kubeconfig", "context", "cluster", "controlPlaneKubeconfig", "controlPlaneContext", "controlPlane"],
  ...["timeoutSeconds", "errorPatienceSeconds"],
];

// The code that connects to clusters is loaded on demand.
const work = { apply: () => import("./apply.js"), destroy: () => import("./destroy.js") };

const planned = (inputs: ModulesInputs): ModulesState => ({ ...inputs, state: UNKNOWN, versions: UNKNOWN as never });

export const kymaModules: ResourceHandler<ModulesInputs, ModulesState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given: Properties) => Promise.resolve(checkModules(given)),

  diff(_context, _id, old, inputs) {
    const changes = changesBetween(old.inputs, inputs, ["name"]);
    const isOpen = old.state.incomplete === true && Object.keys(changes).length === 0;
    return Promise.resolve({ changes: isOpen ? { incomplete: "update" } : changes, deleteBeforeReplace: true });
  },

  async create(context, inputs) {
    if (context.preview) return { id: "", state: planned(inputs) };
    return { id: inputs.name, state: await (await work.apply()).applyModules(context, inputs) };
  },

  read: (context, _id, old) => readModules(context, old),

  async update(context, _id, old, inputs) {
    const changed = changedKeys(old.inputs, inputs).map(topKey);
    if (old.state.incomplete !== true && changed.length > 0 && changed.every((key) => LOCAL.includes(key)))
      return { ...old.state, ...inputs };
    if (context.preview) return planned(inputs);
    return (await work.apply()).applyModules(context, inputs, old.state);
  },

  async delete(context, _id, { inputs, state }) {
    await (await work.destroy()).removeModules(context, inputs, state);
  },
};

type Both = { readonly inputs: ModulesInputs; readonly state: ModulesState };

/** Modules as users may have changed them in the cluster, without those that are theirs; and whether access still works. */
async function readModules(context: Context, { inputs, state }: Both): Promise<Both | undefined> {
  const controlPlaneUid = await planeUid(context, inputs, state);
  const { kyma, secret } = await readPlane(planeClient(context, inputs), inputs);
  if (kyma === undefined || foreign(kyma, inputs.shootUid) !== undefined) return undefined;
  const client = connect(inputs.kubeconfig, inputs.context, { signal: context.signal });
  const seen = async () => ({
    inCluster: (await ifServed(client, IN_CLUSTER)) ?? kyma,
    valid: await currentKubeconfig(client, inputs),
  });
  // A hibernated cluster does not answer, and nothing in it changes.
  const { inCluster, valid } = await seen().catch((error: unknown) => {
    context.signal.throwIfAborted();
    context.log("warning", `${messageOf(error)}; so it is unknown whether the modules in the cluster are as requested`);
    return { inCluster: undefined, valid: kubeconfigIn(secret) };
  });
  const live = new Map(modulesIn(inCluster).map((one) => [one.name, one]));
  const modules = inputs.modules.flatMap((one) => {
    const found = live.get(one.name);
    return !inCluster || (found && areSame([found], [one])) ? [one] : (found ?? []);
  });
  const channel = textAt(inCluster, "spec", "channel") ?? inputs.channel;
  const isCurrent = valid !== undefined && kubeconfigIn(secret) === valid;
  const now = { ...inputs, channel, modules };
  const facts = { state: textAt(kyma, "status", "state") ?? "", versions: versionsIn(kyma) };
  const open = state.incomplete === true || !isCurrent;
  return {
    inputs: now,
    state: {
      ...{ ...now, ...facts },
      ...(controlPlaneUid !== undefined && { controlPlaneUid }),
      ...(open && { incomplete: true }),
    },
  };
}
