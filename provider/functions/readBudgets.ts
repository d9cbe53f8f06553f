/** The function `readBudgets`: which PodDisruptionBudgets let no pod be evicted now, so that their nodes can't be drained. */

import type { FunctionHandler } from "../framework/function";
import { connect } from "../../kubernetes/client/connect";
import { numberAt, type KubeObject } from "../../kubernetes/client/objects";

export interface BudgetsQuestion {
  readonly kubeconfig: string;
}

export interface BudgetsAnswer {
  /** `namespace/name (1 of 1 pods have to stay)`, sorted. */
  readonly blocking: readonly string[];
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** A program does not wait longer for what it could do without. */
const PATIENCE_MS = 5_000;

/** A cluster that does not answer is reported, and no error. */
export const readBudgets: FunctionHandler<BudgetsQuestion, BudgetsAnswer> = async ({ signal }, { kubeconfig }) => {
  try {
    const client = connect(kubeconfig, undefined, { signal, patienceMs: PATIENCE_MS });
    return { blocking: blockingOf(await client.list({ apiVersion: "policy/v1", kind: "PodDisruptionBudget" })) };
  } catch (error) {
    signal.throwIfAborted();
    return { blocking: [], trouble: error instanceof Error ? error.message : String(error) };
  }
};

/** Those that have pods and allow no disruption. Pure. */
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
