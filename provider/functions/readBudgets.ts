/** The function `readBudgets`: which PodDisruptionBudgets and pods currently prevent their nodes from being drained. */

import type { FunctionHandler } from "../framework/function";
import { connect } from "../../kubernetes/connect/connect";
import { numberAt, type KubeObject } from "../../kubernetes/objects/objects";

export interface BudgetsQuestion {
  readonly kubeconfig: string;
  /** Whether to list pods that Karpenter does not evict. */
  readonly pods?: boolean;
}

export interface BudgetsAnswer {
  /** `namespace/name (1 of 1 pods must stay)`, sorted. */
  readonly blocking: readonly string[];
  /** `namespace/name` of pods with `karpenter.sh/do-not-disrupt`, sorted. */
  readonly undisturbed: readonly string[];
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** Short, because the program can do without the result. */
const PATIENCE_MS = 5_000;

/** If the cluster does not answer, returns the reason instead of failing. */
export const readBudgets: FunctionHandler<BudgetsQuestion, BudgetsAnswer> = async (
  { signal },
  { kubeconfig, pods = false },
) => {
  try {
    const client = connect(kubeconfig, undefined, { signal, patienceMs: PATIENCE_MS });
    const [budgets, running] = await Promise.all([
      client.list({ apiVersion: "policy/v1", kind: "PodDisruptionBudget" }),
      pods ? client.list({ apiVersion: "v1", kind: "Pod" }, { field: RUNNING, metadataOnly: true }) : [],
    ]);
    return { blocking: blockingOf(budgets), undisturbed: undisturbedOf(running) };
  } catch (error) {
    signal.throwIfAborted();
    return { blocking: [], undisturbed: [], trouble: error instanceof Error ? error.message : String(error) };
  }
};

/** Finished pods don't block a node. */
const RUNNING = "status.phase!=Succeeded,status.phase!=Failed";

/** Returns the pods whose annotation prevents Karpenter from removing their node, regardless of budgets. Pure. */
export function undisturbedOf(pods: readonly KubeObject[]): string[] {
  return pods
    .filter(({ metadata }) => metadata.annotations?.["karpenter.sh/do-not-disrupt"] === "true")
    .map(({ metadata: { namespace = "", name } }) => `${namespace}/${name}`)
    .sort();
}

/** Returns the budgets that have pods and allow no disruption. Pure. */
export function blockingOf(budgets: readonly KubeObject[]): string[] {
  return budgets
    .flatMap((budget) => {
      const pods = numberAt(budget, "status", "expectedPods") ?? 0;
      if (pods === 0 || numberAt(budget, "status", "disruptionsAllowed") !== 0) return [];
      const { namespace = "", name } = budget.metadata;
      const needed = numberAt(budget, "status", "desiredHealthy") ?? pods;
      return [`${namespace}/${name} (${needed} of ${pods} pods have to stay)`];
    })
    .sort();
}
