/** Hooks of Helm as waves: before and after the rest, by their weights. What can't be done honestly is a fault. */

import { at, isObject, textAt, type Json, type KubeObject } from "../../../kubernetes/objects";

const HOOK = "helm.sh/hook";
const WEIGHT = "helm.sh/hook-weight";

/** On the pods of a hook that runs again with each change: another one is another run. */
export const RUN_ANNOTATION = "stackyard.dev/hook-run";
const REPLACE_ANNOTATION = "stackyard.dev/replace";

const RUNS = new Set(["Job", "Pod"]);

export interface Hook {
  readonly when: "before" | "after";
  readonly weight: number;
  /** It runs when the release is made, and never again. */
  readonly once: boolean;
}

/** Undefined for what is no hook; `skip` for a test. */
export function hookOf(object: KubeObject): Hook | "skip" | { readonly fault: string } | undefined {
  const text = annotation(object, HOOK);
  if (text === undefined) return undefined;
  const events = text.split(",").map((event) => event.trim());
  if (events.every((event) => /^test(-success|-failure)?$/.test(event))) return "skip";
  const has = (event: string): boolean => events.includes(event);
  const when = has("pre-install") ? "before" : "after";
  const moments = when === "before" ? ["pre-install", "pre-upgrade"] : ["post-install", "post-upgrade"];
  // What does not run is there at all moments once it is there.
  if (!RUNS.has(object.kind) && when === "before") moments.push("post-install", "post-upgrade");
  const [install = "", upgrade = ""] = moments;
  const others = events.filter((event) => !moments.includes(event));
  const name = `${object.kind} ${object.metadata.name} is a hook for ${events.join(", ")}`;
  if (!has(install) || others.length > 0) {
    const expected =
      "pre-install or post-install, each alone or with its …-upgrade: a release knows no other moments; turn the hook off by the chart's values, or take it out";
    return { fault: `${name}; expected ${expected}` };
  }
  if (object.kind === "Pod" && has(upgrade)) {
    return { fault: `${name}; expected a Job, because a pod can't be run again` };
  }
  const weight = Number(annotation(object, WEIGHT) ?? 0);
  if (!Number.isInteger(weight)) return { fault: `${name} with a weight that is no whole number` };
  return { when, weight, once: !events.some((event) => event.endsWith("-upgrade")) };
}

const annotation = ({ metadata }: KubeObject, key: string): string | undefined => textAt(metadata, "annotations", key);

/** Number of the wave of each; undefined where nothing is a hook. */
export function wavesOf(hooks: readonly (Hook | undefined)[]): (number | undefined)[] {
  if (hooks.every((hook) => hook === undefined)) return hooks.map(() => undefined);
  const rank = (hook: Hook | undefined): readonly [number, number] =>
    hook === undefined ? [1, 0] : [hook.when === "before" ? 0 : 2, hook.weight];
  const ranks = [...new Map(hooks.map((hook) => [rank(hook).join(), rank(hook)])).values()].sort(
    ([a, x], [b, y]) => a - b || x - y,
  );
  const numbers = new Map(ranks.map((each, index) => [each.join(), index + 1]));
  return hooks.map((hook) => numbers.get(rank(hook).join()));
}

/** A Job that is another run whenever anything of the release is another. */
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
