/** Decides whether an object of a release is ready: by its own rule, its kind, or its conditions. */

import { listAt, numberAt, textAt, isCrd, type KubeObject } from "../../../../kubernetes/objects/objects";
import { isAwaited, rollout } from "../../../../kubernetes/rollout/rollout";
import { DONE, waiting, type Rollout } from "../../../../kubernetes/rollout/state";
import { isCustom } from "../wanted/order";
import type { Rules } from "../../../../bundles/rules/rule";
import type { RuleVerdict } from "../../../../bundles/rules/ruleKind";
import type { Json } from "../../../../foundation/json/isObject";

export function readiness(live: KubeObject, rules?: Rules): Rollout {
  if (live.metadata.deletionTimestamp !== undefined) return waiting("it is being deleted");
  const own = rules && ruled(live, rules);
  if (own) return own;
  if (isCrd(live)) return established(live);
  if (isAwaited(live)) return rollout(live);
  if (live.apiVersion.startsWith("apiregistration.k8s.io/")) return conditioned(live, "Available", true);
  return isCustom(live) ? custom(live) : DONE;
}

/** Undefined without a readiness rule, unless a failure rule applies. */
function ruled(live: KubeObject, { ready, failed }: Rules): Rollout | undefined {
  const observed = numberAt(live, "status", "observedGeneration");
  // The status is still about the previous version of the object.
  if (isUnseen(live, observed)) return UNSEEN;
  const failure = failed?.judge(live);
  if (failure?.broken !== undefined) return broken(failure.broken);
  if (failure?.holds) {
    const text = `it failed: ${failure.found}`;
    return { done: false, progress: text, failed: text, ...(observed === undefined ? { doubtful: true } : {}) };
  }
  return ready && awaited(ready.judge(live));
}

function awaited({ holds, found, broken: why }: RuleVerdict): Rollout {
  if (why !== undefined) return broken(why);
  return holds ? DONE : waiting(found);
}

const broken = (why: string): Rollout => ({ done: false, progress: why, failed: `its own rule can't be used: ${why}` });

// A later generation is of another object, such as one that a backup was made of.
const isUnseen = ({ metadata: { generation } }: KubeObject, observed: number | undefined): boolean =>
  observed !== undefined && generation !== undefined && observed !== generation;

const UNSEEN = waiting("its controller has not seen the change yet");

const conditionOf = (live: KubeObject, type: string): Json | undefined =>
  listAt(live, "status", "conditions").find((condition) => condition["type"] === type);

const words = (condition: Json): string =>
  [textAt(condition, "reason"), textAt(condition, "message")].filter((one) => one !== undefined).join(": ") ||
  `${textAt(condition, "type")} is ${textAt(condition, "status")}`;

function established(live: KubeObject): Rollout {
  const names = conditionOf(live, "NamesAccepted");
  if (names?.["status"] === "False") {
    return {
      done: false,
      progress: "its names are not accepted",
      failed: `its names are not accepted (${words(names)})`,
    };
  }
  return conditioned(live, "Established", true);
}

/**
 * Readiness of custom resources as in kstatus: a resource without conditions is ready. `Stalled` means that it can't
 * become ready without a change.
 */
function custom(live: KubeObject): Rollout {
  if (isUnseen(live, numberAt(live, "status", "observedGeneration"))) return UNSEEN;
  const stalled = conditionOf(live, "Stalled");
  if (stalled?.["status"] === "True") {
    return { done: false, progress: "it is stalled", failed: `it is stalled (${words(stalled)})` };
  }
  const reconciling = conditionOf(live, "Reconciling");
  if (reconciling?.["status"] === "True") return waiting(`its controller works on it (${words(reconciling)})`);
  for (const type of ["Ready", "Available"]) {
    if (conditionOf(live, type)) return conditioned(live, type, false);
  }
  return DONE;
}

function conditioned(live: KubeObject, type: string, expected: boolean): Rollout {
  const condition = conditionOf(live, type);
  if (!condition) return expected ? waiting(`not ${type} yet`) : DONE;
  return condition["status"] === "True" ? DONE : waiting(`not ${type} (${words(condition)})`);
}
