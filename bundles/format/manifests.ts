/** Reads the folder `manifests/` of a bundle, without subfolders. */

import { identity, without, type KubeObject } from "../../kubernetes/objects/objects";
import { placeText, type BundleFault } from "../errors";
import { LIMITS } from "../limits";
import { byCode, type FileTree } from "../tree/tree";
import { newReadLimits, isExhausted, valueKind, readDocuments, type Document } from "./documents";
import type { BundleObject } from "./format";
import { mapFaults, settled } from "./metadata";
import { isObject, type Json } from "../../foundation/json/isObject";

export const FOLDER = "manifests";

/** The objects in the order of the files, and all faults. */
interface Manifests {
  readonly objects: readonly BundleObject[];
  readonly faults: readonly BundleFault[];
}

/** Relaxed rules of a format. */
export interface Leniency {
  /** Duplicate keys are allowed; the last one wins. */
  readonly keysTwice?: boolean;
  /** Namespaces are ignored, because the objects go to another one. */
  readonly anyNamespace?: boolean;
  /** Default `apiVersion` by kind. */
  readonly apiVersions?: Readonly<Record<string, string>>;
}

export function readManifests(tree: FileTree, lenient: Leniency = {}): Manifests {
  const faults: BundleFault[] = [...wrongFolders(tree)];
  const objects: BundleObject[] = [];
  const effort = newReadLimits(lenient.keysTwice);
  const inFolder = [...tree.files].filter(([file]) => file.startsWith(`${FOLDER}/`));
  for (const [file, bytes] of inFolder.sort(([a], [b]) => compareFiles(a, b))) {
    if (file.indexOf("/", FOLDER.length + 1) >= 0) continue;
    const found = readDocuments(file, bytes, effort);
    faults.push(...found.faults);
    for (const document of found.documents) {
      for (const item of flatten(document, faults, lenient)) objects.push(item);
    }
    if (objects.length > LIMITS.objects) {
      faults.push({ file: FOLDER, what: `found more than ${LIMITS.objects} objects; split the bundle` });
      break;
    }
    if (isExhausted(effort)) break;
  }
  faults.push(...duplicateFaults(objects));
  if (faults.length === 0 && objects.length === 0) faults.push(nothing(tree));
  return { objects, faults };
}

/** Number of a file named `01_…`, `010_…` or `10_…`; undefined without one. */
function waveOf(file: string): number | undefined {
  const [, digits] = /^(\d{1,9})_/.exec(file.slice(file.lastIndexOf("/") + 1)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Sorts by number, then by name; files without a number come last. */
export function compareFiles(a: string, b: string): number {
  const [first, second] = [waveOf(a) ?? Infinity, waveOf(b) ?? Infinity];
  return first === second ? byCode(a, b) : first - second;
}

function wrongFolders({ files, emptyFolders }: FileTree): BundleFault[] {
  const below = [...files.keys(), ...emptyFolders.map((folder) => `${folder}/`)]
    .map((path) => path.split("/"))
    .filter(([root, ...names]) => root === FOLDER && names.length > 1)
    .map((names) => names.slice(0, 2).join("/"));
  return [...new Set(below)].map((file) => ({
    file,
    what: `found a folder; expected only files in ${FOLDER}/, which is read without its subfolders`,
  }));
}

function nothing({ files, emptyFolders, others }: FileTree): BundleFault {
  if ([...files.keys()].some((file) => file.startsWith(`${FOLDER}/`)))
    return { file: FOLDER, what: "found no object in any file; expected at least one" };
  if (emptyFolders.includes(FOLDER))
    return { file: FOLDER, what: "found an empty folder; expected at least one object" };
  const instead = others.length === 0 ? "nothing" : others.join(", ");
  return { file: FOLDER, what: `found no such folder at the bundle's root but ${instead}; expected ${FOLDER}/` };
}

/** Returns the object of a document, or the items of a List. Adds faults to `faults`. */
function flatten(from: Document, faults: BundleFault[], lenient: Leniency): BundleObject[] {
  const { file, document, line } = from;
  const wave = waveOf(file);
  const found: BundleObject[] = [];
  const visit = (given: unknown, item: string): void => {
    const value = completed(given, lenient);
    const what = faultOf(value);
    if (what !== undefined || !isObject(value)) {
      faults.push({ file, document, line, what: item + what });
      return;
    }
    if (!isList(value)) {
      const object = value as KubeObject;
      for (const one of mapFaults(object)) faults.push({ file, document, line, what: item + one });
      found.push({ object: settled(object), file, document, line, wave });
      return;
    }
    const items = value["items"] ?? [];
    if (!Array.isArray(items))
      faults.push({ file, document, line, what: `${item}items: found ${valueKind(items)}; expected a list` });
    else items.forEach((each, index) => visit(ofList(each, value), `${item}items[${index}]: `));
  };
  visit(from.value, "");
  return found;
}

/** Items of a typed list may omit apiVersion and kind. */
function ofList(item: unknown, { apiVersion, kind }: Json): unknown {
  if (!isObject(item) || kind === "List") return item;
  return { apiVersion, kind: String(kind).replace(/List$/, ""), ...item };
}

function completed(value: unknown, { anyNamespace = false, apiVersions = {} }: Leniency): unknown {
  if (!isObject(value)) return value;
  const { metadata, kind } = value;
  const known = typeof kind === "string" && Object.hasOwn(apiVersions, kind) ? apiVersions[kind] : undefined;
  return {
    ...value,
    ...(value["apiVersion"] === undefined && known !== undefined && { apiVersion: known }),
    ...(anyNamespace && isObject(metadata) && { metadata: without(metadata, "namespace") }),
  };
}

/** Whether this is a list as kubectl prints it: `List`, or a kind with that suffix and items instead of a spec. */
function isList(value: Json): boolean {
  const { kind, items } = value;
  return typeof kind === "string" && kind.endsWith("List") && (kind === "List" || Array.isArray(items));
}

/** Valid spellings in the API; other texts could not be part of a URL, or could mislead readers. */
const SPELLED = {
  apiVersion: /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[a-z0-9]+$/,
  kind: /^[A-Za-z][A-Za-z0-9]*$/,
  name: /^(?!\.{1,2}$)[^\s/%\p{C}]{1,253}$/u,
  namespace: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
};

/** Why a value is not a Kubernetes object; undefined if it is one. */
export function faultOf(value: unknown): string | undefined {
  if (!isObject(value))
    return `found ${valueKind(value)}; expected an object: every file in ${FOLDER}/ is read as manifests`;
  const missing = (["apiVersion", "kind"] as const).filter((key) => !spelled(value, key));
  if (missing.length > 0) return `found ${valueKind(value)}; expected ${missing.join(" and ")} as the API spells it`;
  if (isList(value)) return undefined;
  const { metadata } = value;
  if (String(value["apiVersion"]).startsWith("kustomize.config.k8s.io/"))
    return "found a Kustomization, which is no object of a cluster; expected what kustomize builds of it, or the format kustomize";
  const kind = value["kind"] as string;
  if (!isObject(metadata)) return `${kind}: metadata: found ${valueKind(metadata)}; expected an object with a name`;
  const { name, namespace, generateName } = metadata;
  if (!spelled(metadata, "name")) {
    const generated = generateName === undefined ? "" : "; a generated name would be another one each time";
    return `${kind}: metadata.name: found ${valueKind(name)}; expected a name${generated}`;
  }
  if (namespace !== undefined && namespace !== null && namespace !== "" && !spelled(metadata, "namespace")) {
    return `${kind} ${name as string}: metadata.namespace: found ${valueKind(namespace)}; expected the name of one, or nothing`;
  }
  return undefined;
}

const spelled = (value: Json, key: keyof typeof SPELLED): boolean => {
  const text = value[key];
  return typeof text === "string" && SPELLED[key].test(text);
};

export function duplicateFaults(objects: readonly BundleObject[]): BundleFault[] {
  const first = new Map<string, BundleObject>();
  const faults: BundleFault[] = [];
  for (const each of objects) {
    const { apiVersion, kind, metadata } = each.object;
    const key = identity({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, each);
      continue;
    }
    const place = placeText(before);
    const { file, document, line } = each;
    const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
    faults.push({
      file,
      document,
      line,
      what: `found ${kind} ${name} a second time, it is in ${place} already; expected it once`,
    });
  }
  return faults;
}
