/** Resources in clusters of Gardener, which have no API server while they are hibernated. */

import type { ResourceHandler } from "../../../foundation/pulumi/resource";
import { readShootAccess } from "../../../foundation/shootAccess";
import { changesBetween } from "../../framework/changes";

/**
 * Postpones a failed update until the cluster is awake. The engine repeats such an update in every run, even if its inputs do not
 * change. The diff of `inner` must detect it by the state.
 */
export function whileAwake<I extends { readonly kubeconfig?: string }, S extends object>(
  inner: ResourceHandler<I, S>,
): ResourceHandler<I, S> {
  return {
    ...inner,
    check(context, given, origin) {
      // The program passes the inputs in the state, which are checked and complete.
      const isKept = origin?.old !== undefined && isInShoot(given) && isSame(origin.old, given);
      return isKept ? Promise.resolve({ inputs: given, failures: [] }) : inner.check(context, given, origin);
    },
    async update(context, id, old, inputs) {
      const isContinued = isInShoot(inputs) && isSame(old.inputs, inputs);
      if (!isContinued) return inner.update(context, id, old, inputs);
      const { shootBehind, sleeps } = await import("./behind.js");
      const { shoot } = (await shootBehind(context, inputs.kubeconfig)) ?? {};
      if (shoot === undefined || !sleeps(shoot)) return inner.update(context, id, old, inputs);
      context.log("info", "its last update failed; it is continued when the hibernated cluster is awake");
      return old.state;
    },
  };
}

const isInShoot = ({ kubeconfig }: { readonly kubeconfig?: unknown }): boolean =>
  typeof kubeconfig === "string" && readShootAccess(kubeconfig) !== undefined;

const isSame = (before: object, now: object): boolean => Object.keys(changesBetween(before, now)).length === 0;
