/**
 * Converts Helm hooks to waves before and after the other objects, by weight. A hook without an equivalent is a fault.
 */

import { at, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { isObject, type Json } from "../../../foundation/json/isObject";

const HOOK = "helm.sh/hook";
const WEIGHT = "helm.sh/hook-weight";

/** On the pods of a hook that runs again after each change: a new value starts a new run. */
export const RUN_ANNOTATION = "stackyard.dev/hook-run";
const REPLACE_ANNOTATION = "stackyard.dev/replace";

const RUNS = new Set(["Job", "Pod"]);

export interface Hook {
  readonly when: "before" | "after";
  /** Position during an update. */
  readonly whenUpgraded: "before" | "after";
  readonly weight: number;
  /** Runs only on the first installation. */
  readonly once: boolean;
  /** Exists only from the first update on. */
  readonly upgradesOnly: boolean;
}

/** Events that a release does not have: no hook runs on deletion, rollback or tests. */
const ELSEWHERE = /^((pre|post)-(delete|rollback)|test(-success|-failure)?)$/;

/** Undefined for other objects; `skip` for hooks of events that a release does not have. */
export function hookOf(object: KubeObject): Hook | "skip" | { readonly fault: string } | undefined {
  const text = annotation(object, HOOK);
  if (text === undefined) return undefined;
  const named = text.split(",").map((event) => event.trim());
  const events = named.filter((event) => !ELSEWHERE.test(event));
  if (events.length === 0) return "skip";
  const name = `${object.kind} ${object.metadata.name} is a hook for ${named.join(", ")}`;
  const moment = (suffix: string): "before" | "after" | "both" | undefined => {
    const [pre, post] = [events.includes(`pre-${suffix}`), events.includes(`post-${suffix}`)];
    // An object that does not run exists at both times once it was created.
    if (pre && post) return RUNS.has(object.kind) ? "both" : "before";
    return pre ? "before" : post ? "after" : undefined;
  };
  const [install, upgrade] = [moment("install"), moment("upgrade")];
  const isKnown = events.every((event) => /^(pre|post)-(install|upgrade)$/.test(event));
  if (!isKnown || install === "both" || upgrade === "both") {
    const expected =
      "pre-install or post-install, pre-upgrade or post-upgrade; disable the hook with the chart's values, or remove it";
    return { fault: `${name}; expected ${expected}` };
  }
  if (object.kind === "Pod" && upgrade !== undefined) {
    return { fault: `${name}; expected a Job, because a pod can't be run again` };
  }
  const weight = Number(annotation(object, WEIGHT) ?? 0);
  if (!Number.isInteger(weight)) return { fault: `${name} with a weight that is no whole number` };
  const when = install ?? upgrade ?? "after";
  const upgradesOnly = install === undefined;
  return { when, whenUpgraded: upgrade ?? when, weight, once: upgrade === undefined, upgradesOnly };
}

const annotation = ({ metadata }: KubeObject, key: string): string | undefined => textAt(metadata, "annotations", key);

/** Returns the wave of each hook for an installation or an update (`upgraded`); undefined for other objects. */
export function wavesOf(hooks: readonly (Hook | undefined)[], upgraded = false): (number | undefined)[] {
  if (hooks.every((hook) => hook === undefined)) return hooks.map(() => undefined);
  const rank = (hook: Hook | undefined): readonly [number, number] =>
    hook === undefined ? [1, 0] : [(upgraded ? hook.whenUpgraded : hook.when) === "before" ? 0 : 2, hook.weight];
  const ranks = [...new Map(hooks.map((hook) => [rank(hook).join(), rank(hook)])).values()].sort(
    ([a, x], [b, y]) => a - b || x - y,
  );
  const numbers = new Map(ranks.map((each, index) => [each.join(), index + 1]));
  return hooks.map((hook) => numbers.get(rank(hook).join()));
}

/** Adds the hash of the release to a Job, so that any change of the release starts a new run. */
export function withRun(object: KubeObject, run: string): KubeObject {
  const spec = at(object, "spec");
  const template = at(spec, "template");
  if (object.kind !== "Job" || !isObject(spec) || !isObject(template)) return object;
  const { metadata } = object;
  const inner = isObject(template["metadata"]) ? template["metadata"] : {};
  return {
    ...object,
    metadata: { ...metadata, annotations: { [REPLACE_ANNOTATION]: "true", ...metadata.annotations } },
    spec: { ...spec, template: { ...template, metadata: annotated(inner, RUN_ANNOTATION, run) } },
  };
}

function annotated(metadata: Json, key: string, value: string): Json {
  const annotations = isObject(metadata["annotations"]) ? metadata["annotations"] : {};
  return { ...metadata, annotations: { ...annotations, [key]: value } };
}
