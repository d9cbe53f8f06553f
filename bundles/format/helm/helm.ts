/** Format helm: a chart, rendered by Helm's own engine. */

import { identity, textAt, type KubeObject, at, isList } from "../../../kubernetes/objects/objects";
import { EngineRefusal } from "../../../kubernetes/helmEngine/engine";
import { FormatError, type BundleFault } from "../../errors";
import { LIMITS } from "../../limits";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { slowHash } from "../../values/slowHash";
import { readDocuments } from "../documents";
import type { BundleFormat, BundleObject, ClusterFacts, Purpose } from "../format";
import { faultOf, duplicateFaults } from "../manifests";
import { mapFaults, settled } from "../metadata";
import { NEWEST_KUBERNETES } from "../newest";
import { largeNumber } from "../numbers";
import { CHART_FILE, readChart, trimChart, type Chart } from "./chart";
import { hookOf, wavesOf, withRun, type Hook } from "./hooks";
import { differences, waitForClock } from "./madeUp";
import { marked, placesIn, type MarkPlace } from "./marks";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { SCHEMA_FILE } from "./schemas";

// Converts errors of Helm to faults in the chart's files.

/** Prefixes that other layers add to the message. */
const AROUND =
  /^(failed to generate YAML for specified Helm chart|failed to create chart from template|failed to load chart from temp directory|failed to decode YAML for specified Helm chart): /;

export function helmFaults(message: string): BundleFault[] {
  let text = message.trim();
  while (AROUND.test(text)) text = text.replace(AROUND, "");
  const schema = /^values don't meet the specifications of the schema\(s\) in the following chart\(s\):\n/.exec(text);
  return schema ? ofSchemas(text.slice(schema[0].length)) : [ofTemplates(text)];
}

/** Removes the chart's name: `demo/charts/redis/templates/a.yaml` becomes `charts/redis/templates/a.yaml`. */
const inChart = (name: string): string => name.slice(name.indexOf("/") + 1);

function ofTemplates(text: string): BundleFault {
  const said = /^(?:parse|execution) error at \(([^():]+):(\d+)(?::\d+)?\): (.*)$/s.exec(text);
  if (said) return { file: inChart(said[1] ?? ""), line: Number(said[2]), what: said[3] ?? "" };
  const yaml = /^YAML parse error on ([^:]+): (.*)$/s.exec(text);
  if (yaml) {
    const why = (yaml[2] ?? "").replace(/^error (converting YAML to JSON|unmarshaling JSON): /, "");
    return { file: inChart(yaml[1] ?? ""), what: `what it renders to is no object in YAML: ${why}` };
  }
  // The last template is the innermost include, in which the error occurred.
  const places = [...text.matchAll(/template: ([^:\s]+\/[^:\s]+):(\d+)(?::\d+)?: /g)];
  const inner = places.at(-1);
  if (!inner) return { file: CHART_FILE, what: text };
  return { file: inChart(inner[1] ?? ""), line: Number(inner[2]), what: text.slice(inner.index + inner[0].length) };
}

/** Parses blocks of `chart:` with its faults, each `- at '/path': …`. */
function ofSchemas(text: string): BundleFault[] {
  let file = SCHEMA_FILE;
  let isFirst = true;
  const faults: BundleFault[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, chart] = /^([^\s:]+):$/.exec(line) ?? [];
    if (chart === undefined) {
      const what = line.trim().replace(/^- at '([^']*)'/, (_, at: string) => `values${at.replaceAll("/", ".")}`);
      faults.push({ file, what });
    } else if (!isFirst || faults.length > 0) file = `charts/${chart}/${SCHEMA_FILE}`;
    isFirst = false;
  }
  return faults;
}

// Kinds that a chart defines in its `crds/` folders.

/** Returns them in the format of served API versions. Unreadable files are reported during rendering. */
export function ownApis({ files }: Chart): string[] {
  return [...files].flatMap(([file, bytes]) => {
    if (!/(^|\/)crds\/.*\.(ya?ml|json)$/.test(file)) return [];
    return readDocuments(file, bytes).documents.flatMap(({ value }) => {
      const group = textAt(value, "spec", "group");
      const kind = textAt(value, "spec", "names", "kind");
      const versions = at(value, "spec", "versions");
      if (group === undefined || kind === undefined || !isList(versions)) return [];
      return versions.flatMap((version) => {
        const name = textAt(version, "name");
        return name === undefined || at(version, "served") === false
          ? []
          : [`${group}/${name}`, `${group}/${name}/${kind}`];
      });
    });
  });
}

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
