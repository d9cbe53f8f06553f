/** Declared dependencies of an operator: kinds, packages, and rules that combine them. */

import { InputCheck } from "../../../foundation/pulumi/inputCheck";
import { textAt } from "../../../kubernetes/objects/objects";
import type { BundleFault } from "../../errors";
import type { FileTree } from "../../tree/tree";
import { faultAt } from "../faults";
import type { BundleObject } from "../format";
import { METADATA, readMetadata } from "./annotations";
import type { Csv } from "./csv";
import { Look } from "./look";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** How many of the rules must hold. */
export type Dependency =
  | { readonly kind: string; readonly apiVersion: string }
  /** A dependency that can't be checked in a cluster, as text. */
  | { readonly words: string }
  | { readonly rule: "all" | "any" | "none"; readonly of: readonly Dependency[]; readonly words: string };

interface Dependencies {
  readonly found: readonly Dependency[];
  readonly faults: readonly BundleFault[];
}

const DEPENDENCIES_FILE = `${METADATA}/dependencies.yaml`;
const PROPERTIES_FILE = `${METADATA}/properties.yaml`;
const ANNOTATION = "olm.properties";

export function readDependencies(tree: FileTree, csv: Csv, place: BundleObject): Dependencies {
  const own = fromCsv(csv);
  const found: Dependency[] = [...own.found];
  const faults: BundleFault[] = own.failures.map((what) => faultAt(place, what));
  const read = (value: unknown, list: string, types: Types, faultOf: (what: string) => BundleFault): void => {
    const check = new InputCheck([]);
    const look = new Look(isObject(value) ? value : { [list]: value }, check);
    for (const { path, json } of look.objects(list)) {
      const reader = types.get(textAt(json, "type") ?? "");
      if (reader) found.push(...reader(isObject(json["value"]) ? json["value"] : {}, `${path}.value`, check));
    }
    faults.push(...check.failures.map(({ property, reason }) => faultOf(`${property}: ${reason}`)));
  };
  for (const [file, list, types] of [
    [DEPENDENCIES_FILE, "dependencies", DEPENDENCY_TYPES],
    [PROPERTIES_FILE, "properties", PROPERTY_TYPES],
  ] as const) {
    const { value, faults: wrong } = readMetadata(tree, file);
    const before = [faults.length, found.length] as const;
    faults.push(...wrong);
    if (value !== undefined) read(value, list, types, (what) => ({ file, what }));
    // OLM v1 ignores this file. Its faults are reported anyway, because a dependency could be hidden in it.
    if (file === DEPENDENCIES_FILE && faults.length > before[0]) {
      [faults.length, found.length] = before;
      found.push({ words: `what ${file} says, which can't be read` });
    }
  }
  const annotation = csv.annotations[ANNOTATION];
  if (annotation !== undefined) {
    const faultOf = (what: string): BundleFault => faultAt(place, `metadata.annotations["${ANNOTATION}"]: ${what}`);
    try {
      read({ properties: JSON.parse(annotation) as unknown }, "properties", PROPERTY_TYPES, faultOf);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      faults.push(faultOf("found text that is no JSON; expected a list of properties"));
    }
  }
  return { found, faults };
}

type Reader = (value: Json, path: string, check: InputCheck) => Dependency[];
type Types = ReadonlyMap<string, Reader>;

const gvk: Reader = (value, path, check) => {
  for (const key of ["version", "kind"]) check.text(`${path}.${key}`, value[key], "a text");
  const [group, version, kind] = ["group", "version", "kind"].map((key) => textAt(value, key) ?? "");
  return [{ kind: kind ?? "", apiVersion: group === "" ? (version ?? "") : `${group}/${version}` }];
};

const packageIn =
  (range: string): Reader =>
  (value, path, check) => {
    check.text(`${path}.packageName`, value["packageName"], "the name of a package");
    return [{ words: `package ${textAt(value, "packageName") ?? ""} ${textAt(value, range) ?? "in any version"}` }];
  };

/** Limits nested rules, which may be arbitrarily deep. */
const LONGEST_PATH = 1000;

const RULES = { all: "all", any: "any", not: "none", none: "none" } as const;

const constraint: Reader = (value, path, check) => {
  const words = textAt(value, "failureMessage");
  if (path.length > LONGEST_PATH) {
    check.failures.push({ property: path.slice(0, LONGEST_PATH), reason: "found rules in rules without end" });
    return [];
  }
  if (isObject(value["gvk"])) return gvk(value["gvk"], `${path}.gvk`, check);
  if (isObject(value["package"])) return packageIn("versionRange")(value["package"], `${path}.package`, check);
  if (isObject(value["cel"])) return [{ words: words ?? `rule ${textAt(value, "cel", "rule") ?? ""}` }];
  for (const [key, rule] of Object.entries(RULES)) {
    if (!isObject(value[key])) continue;
    const inner = new Look(value[key], check, `${path}.${key}`).objects("constraints");
    const of = inner.flatMap(({ path: own, json }) => constraint(json, own, check));
    return [{ rule, of, words: words ?? `${rule} of ${of.map(wordsOf).join(", ")}` }];
  }
  check.fail(path, Object.keys(value), "one of gvk, package, cel, all, any, not");
  return [];
};

const DEPENDENCY_TYPES: Types = new Map([
  ["olm.gvk", gvk],
  ["olm.package", packageIn("version")],
  ["olm.constraint", constraint],
]);

const PROPERTY_TYPES: Types = new Map([
  ["olm.gvk.required", gvk],
  ["olm.package.required", packageIn("versionRange")],
  ["olm.constraint", constraint],
]);

/** Text for messages. */
export const wordsOf = (dependency: Dependency): string =>
  "words" in dependency ? dependency.words : `${dependency.apiVersion}/${dependency.kind}`;

/** Kinds that the ClusterServiceVersion itself requires. */
function fromCsv({ object }: Csv): { readonly found: Dependency[]; readonly failures: string[] } {
  const check = new InputCheck([]);
  const look = new Look(object, check);
  const crds = look.objects("spec.customresourcedefinitions.required").map(({ path, json }) => {
    check.text(`${path}.name`, json["name"], "<plural>.<group>");
    const name = textAt(json, "name") ?? "";
    return { path, json: { ...json, group: name.slice(name.indexOf(".") + 1) } };
  });
  const others = ["spec.apiservicedefinitions.required", "spec.nativeAPIs"].flatMap((path) => look.objects(path));
  const found = [...crds, ...others].flatMap(({ path, json }) => gvk(json, path, check));
  return { found, failures: check.failures.map(({ property, reason }) => `${property}: ${reason}`) };
}
