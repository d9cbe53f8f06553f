/** Format helm: a chart, rendered by Helm's own engine. */

import { identity, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { EngineRefusal } from "../../../kubernetes/helmEngine/engine";
import { FormatError, type BundleFault } from "../../errors";
import { LIMITS } from "../../limits";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { slowHash } from "../../values/slowHash";
import type { BundleFormat, BundleObject, ClusterFacts, Purpose } from "../format";
import { faultOf, duplicateFaults } from "../manifests";
import { mapFaults, settled } from "../metadata";
import { NEWEST_KUBERNETES } from "../newest";
import { largeNumber } from "../numbers";
import { CHART_FILE, readChart, trimChart, type Chart } from "./chart";
import { ownApis } from "./crds";
import { helmFaults } from "./faults";
import { hookOf, wavesOf, withRun, type Hook } from "./hooks";
import { differences, waitForClock } from "./madeUp";
import { marked, placesIn, type MarkPlace } from "./marks";
import { isObject, type Json } from "../../../foundation/json/isObject";

const NAME = "helm";

export const HELM: BundleFormat = {
  name: NAME,
  keep: undefined,
  trim: trimChart,
  looksSo: {
    beside: (names) => names.includes(CHART_FILE),
    inside: ({ files }) => files.has(CHART_FILE),
  },
  async read(tree, purpose) {
    const { chart, faults } = await readChart(tree);
    if (faults.length > 0) throw new FormatError(NAME, faults);
    return objectsIn(chart, purpose);
  },
};

const HEADING = "the chart can't be rendered:";

async function objectsIn(chart: Chart, purpose: Purpose): Promise<BundleObject[]> {
  const { values, signal, name, namespace } = purpose;
  const options = await optionsOf(chart, purpose);
  const render = (files: ReadonlyMap<string, Buffer>): Promise<Json[]> => rendered(files, options, signal);
  const first = await render(chart.files);
  const places = placesIn(await render(marked(chart.files)).catch(ignoreFaults), keyOf);
  await waitForClock(chart.files, values, signal);
  const again = new Map((await render(chart.files)).map((object) => [keyOf(object), object]));
  const faults: BundleFault[] = [];
  const found: { readonly one: BundleObject; readonly hook: Hook | undefined }[] = [];
  for (const value of first) {
    const place = placeOf(value, places);
    const what = faultOf(value) ?? largeNumber(value);
    if (what !== undefined) {
      faults.push({ ...place, what });
      continue;
    }
    const object = settled(value as KubeObject);
    faults.push(...mapFaults(value as KubeObject).map((one) => ({ ...place, what: one })));
    const hook = hookOf(object);
    if (hook === "skip") continue;
    if (hook && "fault" in hook) faults.push({ ...place, what: hook.fault });
    const other = again.get(keyOf(value));
    if (other === undefined) faults.push({ ...place, what: `${object.kind} ${object.metadata.name}: ${ANOTHER_NAME}` });
    const madeUp = other === undefined ? [] : differences(value, other);
    const more = {
      ...(madeUp.length > 0 && { madeUp }),
      ...(hook && "once" in hook && hook.once && { once: true }),
      ...(hook && "once" in hook && hook.upgradesOnly && { upgradesOnly: true }),
    };
    found.push({
      one: { object, ...place, wave: undefined, ...more },
      hook: hook && "when" in hook ? hook : undefined,
    });
  }
  const objects = found.map(({ one }) => one);
  faults.push(...duplicateFaults(objects));
  if (objects.length > LIMITS.objects)
    faults.push({ file: CHART_FILE, what: `found more than ${LIMITS.objects} objects` });
  if (faults.length > 0) throw new FormatError(NAME, faults, HEADING);
  const hooks = found.map(({ hook }) => hook);
  const [waves, later] = [wavesOf(hooks), wavesOf(hooks, true)];
  const run = found.some(({ hook }) => hook && !hook.once) ? runOf(objects, `${namespace}/${name}`) : "";
  const waved = found.map(({ one, hook }, index) => ({
    ...one,
    wave: waves[index],
    ...(later[index] !== waves[index] && { upgradeWave: later[index] }),
    object: hook && !hook.once ? withRun(one.object, run) : one.object,
  }));
  return waved.sort((a, b) => (a.wave ?? 0) - (b.wave ?? 0));
}

const ANOTHER_NAME =
  "found another name each time it is rendered; expected the same one, so that it can be found again. Give it a name by the chart's values";

async function optionsOf(chart: Chart, { name, namespace, values, cluster, assumed }: Purpose): Promise<object> {
  const facts: Partial<ClusterFacts> | undefined = (await cluster?.()) ?? assumed;
  return {
    release_name: name,
    namespace,
    values,
    // Test hooks are detected by their annotation later.
    include_test_hook_resources: true,
    kube_version: facts?.kubeVersion ?? NEWEST_KUBERNETES,
    // Kinds that the chart defines exist when the rest is applied, even the first time.
    api_versions: [...new Set([...(facts?.apiVersions ?? []), ...ownApis(chart)])].sort(),
  };
}

/** The engine is loaded on demand. */
async function rendered(files: ReadonlyMap<string, Buffer>, options: object, signal: AbortSignal): Promise<Json[]> {
  const { invokeHelm } = await import("./engine.js");
  try {
    const result = await invokeHelm(files, options, signal);
    return Array.isArray(result) ? result.filter(isObject) : [];
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error;
    throw new FormatError(NAME, helmFaults(error.message), HEADING);
  }
}

/** The marks may break a template; then the positions of its objects are unknown. */
function ignoreFaults(error: unknown): Json[] {
  if (error instanceof FormatError) return [];
  throw error;
}

function keyOf(object: Json): string {
  const [apiVersion, kind] = [textAt(object, "apiVersion") ?? "", textAt(object, "kind") ?? ""];
  const name = textAt(object, "metadata", "name") ?? "";
  return identity({ apiVersion, kind, namespace: textAt(object, "metadata", "namespace"), name });
}

const placeOf = (
  object: Json,
  places: ReadonlyMap<string, MarkPlace>,
): { readonly file: string; readonly line?: number } => places.get(keyOf(object)) ?? { file: "templates/" };

/** Hashes the whole release without its random values. */
function runOf(objects: readonly BundleObject[], place: string): string {
  const kept = objects.map(({ object, madeUp = [] }) => {
    const copy = structuredClone(object) as Json;
    for (const path of madeUp) erase(copy, path);
    return copy;
  });
  return slowHash(canonicalJson(kept), place).slice(0, 16);
}

function erase(object: Json, path: readonly (string | number)[]): void {
  const [last = "", ...others] = [...path].reverse();
  const holder = others.reduceRight<unknown>((value, key) => (value as Json | undefined)?.[key], object);
  if (typeof holder === "object" && holder !== null) (holder as Json)[last] = null;
}
