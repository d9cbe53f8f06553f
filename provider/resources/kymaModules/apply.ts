/** Writes the Kyma of a cluster, and waits until Lifecycle Manager has done what it says. */

import { messageOf } from "../../../foundation/errors";
import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { despiteConflicts } from "../../../kubernetes/gardener/write";
import { describe, NONE, textAt, versionOf, type KubeObject } from "../../../kubernetes/objects/objects";
import { openWork, until, type Work } from "../../../kubernetes/work/work";
import { grantAccess } from "./access";
import type { KymaModule, ModulesInputs, ModulesState } from "./inputs";
import { areSame, IN_CLUSTER, kymaOf, kymaRef, mergedModules, modulesIn, secretOf } from "./objects";
import { ifServed, mustBeOurs, planeClient, planeUid, readPlane } from "./plane";
import { modulesProgress, versionsIn, type Progress } from "./progress";

interface Job {
  readonly work: Work;
  readonly inputs: ModulesInputs;
  /** Of Lifecycle Manager. */
  readonly plane: Client;
  /** The cluster of the Shoot. */
  readonly cluster: Client;
  /** Modules of the last update. */
  readonly before: readonly KymaModule[];
}

export async function applyModules(
  context: Context,
  inputs: ModulesInputs,
  earlier?: ModulesState,
): Promise<ModulesState> {
  const work = openWork(context, describe(kymaRef(inputs.name)), inputs, inputs.timeoutSeconds);
  const controlPlaneUid = await planeUid(context, inputs, earlier);
  const plane = planeClient(context, inputs);
  const cluster = connect(inputs.kubeconfig, inputs.context, { signal: context.signal });
  work.log("status", "stage: StartingInstallation");
  mustBeOurs(await readPlane(plane, inputs), inputs.shootUid);
  const kubeconfig = await grantAccess(cluster, inputs, work);
  const before = await despiteConflicts(() => write(plane, inputs, kubeconfig, earlier));
  const job = { work, inputs, plane, cluster, before };
  const state = { ...inputs, ...(controlPlaneUid !== undefined && { controlPlaneUid }) };
  try {
    const kyma = await untilDone(job);
    return { ...state, state: textAt(kyma, "status", "state") ?? "", versions: versionsIn(kyma) };
  } catch (error) {
    context.signal.throwIfAborted();
    throw new IncompleteError(messageOf(error), inputs.name, { ...state, incomplete: true });
  }
}

/** Each write names the version that was judged to be ours. Returns the modules of the last update. */
async function write(
  plane: Client,
  inputs: ModulesInputs,
  kubeconfig: string,
  earlier: ModulesState | undefined,
): Promise<readonly KymaModule[]> {
  const found = await readPlane(plane, inputs);
  mustBeOurs(found, inputs.shootUid);
  await applyTo(plane, secretOf(inputs, kubeconfig), found.secret);
  await applyTo(plane, kymaOf(inputs), found.kyma);
  return earlier?.modules ?? modulesIn(found.kyma);
}

const applyTo = (client: Client, object: KubeObject, live: KubeObject | undefined): Promise<KubeObject> =>
  client.apply({ ...object, metadata: { ...object.metadata, ...(live ? versionOf(live) : NONE) } });

/**
 * Lifecycle Manager reads the modules from the Kyma in the cluster, where users may add their own, and makes that one only
 * once from ours.
 */
async function followInCluster({ cluster, inputs, before }: Job): Promise<void> {
  const live = await ifServed(cluster, IN_CLUSTER);
  if (live === undefined || live.metadata.deletionTimestamp !== undefined) return;
  const [found, { channel }] = [modulesIn(live), inputs];
  const modules = mergedModules(found, before, inputs.modules);
  if (areSame(found, modules) && textAt(live, "spec", "channel") === channel) return;
  await cluster.merge(IN_CLUSTER, { metadata: versionOf(live), spec: { channel, modules: [...modules] } });
}

async function untilDone(job: Job): Promise<KubeObject> {
  const { work, inputs, plane, before } = job;
  const removed = before.map(({ name }) => name).filter((name) => !inputs.modules.some((one) => one.name === name));
  let error: { readonly text: string; readonly since: number } | undefined;
  let last: Progress = { kind: "working", text: "" };
  let reported: string | undefined;
  return until(
    work,
    async () => {
      const look = async (): Promise<{ readonly kyma?: KubeObject; readonly progress: Progress }> => {
        await despiteConflicts(() => followInCluster(job));
        const kyma = await plane.get(kymaRef(inputs.name));
        if (kyma === undefined) throw new Error(`${work.title} is gone; somebody has deleted it`);
        return { kyma, progress: modulesProgress(kyma, inputs, removed) };
      };
      const { kyma, progress } = await look().catch((cause: unknown) => {
        if (!(cause instanceof UnreachableError)) throw cause;
        return { kyma: undefined, progress: { kind: "working", text: cause.message } as const };
      });
      last = progress;
      if (progress.kind === "done") {
        if (progress.text !== "") work.log("warning", `${work.title}: ${progress.text}`);
        return kyma;
      }
      if (progress.kind !== "error") error = undefined;
      else if (error?.text !== progress.text) error = { text: progress.text, since: Date.now() };
      if (error !== undefined && Date.now() - error.since > inputs.errorPatienceSeconds * 1000) {
        throw new Error(`Lifecycle Manager can't install the modules of ${work.title}: ${error.text}`);
      }
      if (progress.text !== reported) work.log("status", `stage: WaitingForInstallation (${progress.text})`);
      reported = progress.text;
      return undefined;
    },
    () => Promise.resolve(new Error(`${work.title} is not ready after ${work.timeoutSeconds} seconds: ${last.text}`)),
  );
}
