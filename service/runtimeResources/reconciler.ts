import { messageOf } from "../../foundation/errors";
import { isConflict } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/objects/objects";
import type { RuntimeSettings } from "../api/context";
import type { OperationRow } from "../database/tables";
import type { Shoots } from "../gardener/shoots";
import { OperationError } from "../operations/error";
import { SERVICE_ACTORS } from "../operations/input";
import { ASKS, asks, FINALIZER, LABELS } from "./kind";
import { keepKubeconfig, removeKubeconfig } from "./kubeconfig";
import { RuntimeObjects } from "./objects";
import { identityFaults, ownOf, type Own } from "./own";
import { wantedOf } from "./request/wanted";
import {
  callerOf,
  LATER_MS,
  REFUSED_MS,
  Requester,
  SOON_MS,
  type LookResult,
  type RequesterOptions,
} from "./requester";
import * as says from "./status";
import { deletionStepOf, isActive, stepOf, type RuntimeStep } from "./step";

export interface ReconcilerOptions extends RequesterOptions {
  /** The cluster with the Runtimes. */
  readonly client: Client;
  readonly namespace: string;
  readonly runtimes: Pick<RuntimeSettings, "provisioner" | "defaults">;
  readonly shoots: Pick<Shoots, "issue">;
  /** Lifetime of kubeconfigs in seconds. */
  readonly kubeconfigSeconds: number;
}

const ISSUE_MS = 10_000;

/** Makes the deployment of a Runtime what its spec says, and its status what happens. */
export class Reconciler {
  private readonly objects: RuntimeObjects;
  private readonly requester: Requester;

  constructor(private readonly options: ReconcilerOptions) {
    this.objects = new RuntimeObjects(options.client, options.namespace);
    this.requester = new Requester(options);
  }

  /** Looks at one Runtime. Returns the stack of its deployment, and when to look again, in milliseconds. */
  async look(name: string): Promise<{ readonly stack?: string; readonly again?: number }> {
    const runtime = await this.objects.get(name);
    if (runtime === undefined) return {};
    try {
      const own = await ownOf(runtime, this.options.backend.reads);
      const isGoing = runtime.metadata.deletionTimestamp !== undefined;
      const { verdict, again } = await (isGoing ? this.remove(runtime, own) : this.serve(runtime, own));
      if (verdict) await this.objects.say(runtime, verdict);
      return { stack: own?.deployment.id, again };
    } catch (error) {
      // Somebody else has changed the Runtime meanwhile.
      if (isConflict(error)) return { again: SOON_MS };
      throw error;
    }
  }

  private async serve(runtime: KubeObject, own: Own | undefined): Promise<LookResult> {
    const { finalizers = [], generation = 0 } = runtime.metadata;
    if (!finalizers.includes(FINALIZER)) {
      await this.objects.setFinalizers(runtime, [...finalizers, FINALIZER]);
      return { again: 0 };
    }
    const read = wantedOf(runtime, this.options.runtimes.defaults);
    const faults = "faults" in read ? read.faults : identityFaults(read.wanted, own?.deployment);
    const again = asks(runtime, "again");
    const step = stepOf({
      ...{ deployment: own?.deployment, newest: own?.newest, requested: own?.requested },
      ...{ generation, again, paused: asks(runtime, "pause") },
    });
    if (step.do === "wait" && own?.newest) return { verdict: says.pending(own.newest) };
    const isAnswered = faults.length > 0 || step.do !== "rest";
    const outcome = await this.answer(runtime, own, { read, faults, step });
    if (again && isAnswered) await this.objects.annotate(runtime, { [ASKS.again]: null });
    return outcome;
  }

  private async answer(
    runtime: KubeObject,
    own: Own | undefined,
    { read, faults, step }: { read: ReturnType<typeof wantedOf>; faults: readonly string[]; step: RuntimeStep },
  ): Promise<LookResult> {
    if (faults.length > 0) return { verdict: says.refused(faults.join("\n")) };
    if (step.do === "refuse") return { verdict: says.refused(step.reason) };
    if (step.do === "request" && "wanted" in read) {
      return this.requester.request(runtime, read.wanted, own, step.kind);
    }
    if (!own?.newest) return { verdict: says.initialized("the Runtime is paused by an annotation") };
    return own.newest.state === "succeeded" ? this.complete(runtime, own) : { verdict: says.failed(own.newest) };
  }

  /** Hands over the kubeconfig of a cluster that is as requested. */
  private async complete(runtime: KubeObject, { deployment, newest }: Own): Promise<LookResult> {
    const { client, namespace, shoots, kubeconfigSeconds: expirationSeconds } = this.options;
    const verdict = newest && says.ready(newest, `the cluster of deployment ${deployment.name}`);
    // A hibernated cluster has no API server. Its kubeconfig stays.
    if (deployment.outputs["state"] === "hibernated") return { verdict };
    const issue = () => shoots.issue(deployment, { role: "admin", expirationSeconds }, ISSUE_MS);
    try {
      const again = await keepKubeconfig(runtime, deployment.name, { client, namespace, issue });
      return { verdict, again };
    } catch (error) {
      if (isConflict(error)) throw error;
      return { verdict: says.withoutKubeconfig(messageOf(error)), again: LATER_MS };
    }
  }

  private async remove(runtime: KubeObject, own: Own | undefined): Promise<LookResult> {
    const { client, namespace, backend } = this.options;
    const { finalizers = [] } = runtime.metadata;
    if (!finalizers.includes(FINALIZER)) return {};
    const { deployment, newest } = own ?? {};
    const id = deployment?.name ?? runtime.metadata.labels?.[LABELS.runtimeId];
    if (id !== undefined) await removeKubeconfig(runtime, id, { client, namespace });
    const step = deletionStepOf({ deployment, newest, actor: SERVICE_ACTORS.runtimes, now: new Date() });
    if (step.do === "release" || deployment === undefined) {
      const others = finalizers.filter((each) => each !== FINALIZER);
      await this.objects.setFinalizers(runtime, others);
      return {};
    }
    if (step.do === "wait") return waitingToGo(newest);
    const caller = callerOf(deployment.tenant);
    try {
      if (step.do === "cancel") {
        await backend.changes.cancel(step.operation, caller);
        return { verdict: says.terminating(newest), again: SOON_MS };
      }
      const asked = { deployment: deployment.name, kind: "deprovision", mayBeGone: true } as const;
      return { verdict: says.terminating(await backend.changes.request(asked, caller)), again: SOON_MS };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const isPassing = error.retryable || error.code === "CONFLICT";
      return { verdict: says.notDeleted(error), again: isPassing ? LATER_MS : REFUSED_MS };
    }
  }
}

function waitingToGo(newest: OperationRow | undefined): LookResult {
  if (newest === undefined || isActive(newest)) return { verdict: says.terminating(newest) };
  const { reason, advice } = newest.error ?? { reason: newest.message };
  return { verdict: says.notDeleted({ reason: `operation ${newest.id}: ${reason}`, advice }), again: REFUSED_MS };
}
