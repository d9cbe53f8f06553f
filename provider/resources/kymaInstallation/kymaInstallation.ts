/** KymaInstallation: Kyma 1, installed in a cluster by its own installer. */

import { messageOf } from "../../../foundation/errors";
import { hasUnknown, IncompleteError, UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context, ResourceHandler } from "../../../foundation/pulumi/resource";
import { connect } from "../../../kubernetes/connect/connect";
import { textAt } from "../../../kubernetes/objects/objects";
import { changedKeys, changesBetween } from "../../../foundation/pulumi/changes";
import { foreignPart } from "../../framework/foreignPart";
import { secretsOf } from "../../framework/resourceSchema";
import { untilAwake } from "./awake";
import { cleanUpCatalog } from "./catalog";
import { checkKyma, type KymaInputs, type KymaState } from "./inputs";
import { installed, prepare, readInstallation } from "./install";
import { action, INSTALLATION } from "./objects";
import { fetchRelease } from "./release";
import { schema } from "./kymaInstallationSchema";

const ID = INSTALLATION.name;
/** Inputs whose change only updates the state. */
const LOCAL: readonly string[] = ["timeoutSeconds", "errorPatienceSeconds", "brokerUrlPrefix"];

const clientOf = (context: Context, inputs: KymaInputs) =>
  connect(inputs.kubeconfig, inputs.context, { signal: context.signal });

export const kymaInstallation: ResourceHandler<KymaInputs, KymaState> = {
  secretProperties: secretsOf(schema),

  check: (_context, given) => Promise.resolve(checkKyma(given)),

  diff: (_context, _id, old, inputs) => Promise.resolve({ changes: changesBetween(old.inputs, inputs) }),

  async create(context, inputs) {
    if (context.preview) return { id: "", state: await preview(context, inputs) };
    return { id: ID, state: await install(context, inputs) };
  },

  async read(context, _id, old) {
    const found = await readInstallation(clientOf(context, old.inputs));
    if (!found) return undefined;
    return { inputs: old.inputs, state: { ...old.state, state: textAt(found, "status", "state") } };
  },

  async update(context, _id, old, inputs) {
    const changed = changedKeys(old.inputs, inputs);
    const isWhole = old.state.state === "Installed";
    if (isWhole && changed.length > 0 && changed.every((key) => LOCAL.includes(key)))
      return { ...old.state, ...inputs };
    return context.preview ? preview(context, inputs) : install(context, inputs);
  },

  /** Does not wait for the uninstallation: usually the cluster is deleted next. */
  async delete(context, _id, old) {
    const other = foreignPart(context);
    if (other !== undefined) return context.log("warning", `Kyma is left alone: ${other}`);
    if (!(await untilAwake(context, old.inputs))) return;
    const client = clientOf(context, old.inputs);
    if (!(await readInstallation(client))) return;
    await cleanUpCatalog(context, client, old.inputs.brokerUrlPrefix);
    context.log("status", "stage: TriggerKymaUninstall");
    await client.merge(INSTALLATION, action("uninstall"));
  },
};

/** Reports missing manifests. */
async function preview(context: Context, inputs: KymaInputs): Promise<KymaState> {
  if (hasUnknown([inputs.installerUrl, inputs.tillerUrl, inputs.digest])) {
    return { ...inputs, installedDigest: UNKNOWN, state: UNKNOWN };
  }
  const { digest } = await fetchRelease(inputs, context.signal);
  return { ...inputs, installedDigest: digest, state: UNKNOWN };
}

async function install(context: Context, inputs: KymaInputs): Promise<KymaState> {
  const release = await fetchRelease(inputs, context.signal);
  const seconds = context.timeoutSeconds ?? inputs.timeoutSeconds;
  const job = { context, client: clientOf(context, inputs), inputs, deadline: Date.now() + seconds * 1000 };
  const state = { ...inputs, installedDigest: release.digest };
  try {
    await prepare(job, release);
    await installed(job);
    return { ...state, state: "Installed" };
  } catch (error) {
    context.signal.throwIfAborted();
    throw new IncompleteError(messageOf(error), ID, { ...state, state: "Error" });
  }
}
