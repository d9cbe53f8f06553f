/**
 * Checks the references of kustomizations. All files must be in the bundle: its digest covers its content, so nothing
 * is fetched, and no local file is read. kustomize itself checks the rest.
 */

import { isList } from "../../../kubernetes/objects/objects";
import type { BundleFault } from "../../errors";
import type { FileTree } from "../../tree/tree";
import { readDocuments } from "../documents";
import { folderOf, inside, isRemote } from "./paths";
import { isObject, type Json } from "../../../foundation/json/isObject";

const FILES = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/** Lists of files, and of folders with their own kustomization. */
const PARTS = ["resources", "components", "bases"];
/** The same, but an item may also be an inline object. */
const PLUGINS = ["generators", "transformers", "validators"];
const FILE_LISTS = ["crds", "configurations"];
/** Lists of objects with a path, or of inline patches. */
const PATCHES = ["patches", "patchesJson6902", "replacements", "patchesStrategicMerge"];
const GENERATORS = ["configMapGenerator", "secretGenerator"];
/** Fields that run Helm, which fetches charts. */
const HELM = ["helmCharts", "helmChartInflationGenerator", "helmGlobals"];

/** Keys of plugin objects that name files. */
const PLUGIN_PATHS = new Set(["path", "paths", "files", "envs", "env", "configFiles", "chartHome", "valuesFile"]);

/** Returns the kustomization file of a folder; undefined if it has none. */
export const kustomizationIn = ({ files }: FileTree, folder: string): string | undefined =>
  FILES.map((name) => (folder === "" ? name : `${folder}/${name}`)).find((path) => files.has(path));

/** Lists the folders with a kustomization, for messages. */
export const kustomizedFolders = ({ files }: FileTree): string[] =>
  [...files.keys()].flatMap((path) => (FILES.includes(path.slice(path.lastIndexOf("/") + 1)) ? [folderOf(path)] : []));

/** Returns all faults in the references of a folder's kustomization, and of those that it refers to. */
export function referenceFaults(tree: FileTree, folder: string): BundleFault[] {
  const faults: BundleFault[] = [];
  const seen = new Set<string>();
  const visit = (place: string): void => {
    const file = kustomizationIn(tree, place);
    if (file === undefined || seen.has(file)) return;
    seen.add(file);
    const found = readDocuments(file, tree.files.get(file) ?? Buffer.alloc(0));
    faults.push(...found.faults);
    for (const { value } of found.documents)
      if (isObject(value)) judge(new Kustomization(tree, file, faults), value, visit);
  };
  visit(folder);
  return faults;
}

function judge(one: Kustomization, content: Json, visit: (folder: string) => void): void {
  for (const key of HELM) {
    if (content[key] !== undefined)
      one.fault(
        key,
        "found charts to be fetched; expected none: render them before, or make bundles of format helm of them",
      );
  }
  for (const key of PARTS) one.each(content, key, (path, at) => one.part(at, path, visit));
  for (const key of PLUGINS) one.each(content, key, (text, at) => one.plugin(at, text, visit));
  for (const key of FILE_LISTS) one.each(content, key, (path, at) => one.file(at, path));
  for (const key of PATCHES) one.each(content, key, (text, at) => isPatch(text) || one.file(at, text), "path");
  for (const key of GENERATORS) {
    if (!isList(content[key])) continue;
    content[key].forEach((each, index) => {
      if (!isObject(each)) return;
      const at = `${key}[${index}]`;
      one.each(each, "files", (text, place) => one.file(place, text.slice(text.indexOf("=") + 1)), undefined, at);
      one.each(each, "envs", (path, place) => one.file(place, path), undefined, at);
      if (typeof each["env"] === "string") one.file(`${at}.env`, each["env"]);
    });
  }
  const { openapi } = content;
  if (isObject(openapi) && typeof openapi["path"] === "string") one.file("openapi.path", openapi["path"]);
}

/** An inline patch in place of a file name. */
const isPatch = (text: string): boolean => text.includes("\n") || (/[:{]/.test(text) && !isRemote(text));

/** A kustomization that is being checked. */
class Kustomization {
  readonly #folder: string;

  constructor(
    private readonly tree: FileTree,
    private readonly name: string,
    private readonly faults: BundleFault[],
  ) {
    this.#folder = folderOf(name);
  }

  fault(at: string, what: string): void {
    this.faults.push({ file: this.name, what: `${at}: ${what}` });
  }

  /** Visits the texts of a list, or those under a key if the items are objects. */
  each(from: Json, key: string, look: (text: string, at: string) => unknown, inner?: string, above?: string): void {
    const list = from[key];
    if (!isList(list)) return;
    list.forEach((item, index) => {
      const at = `${above === undefined ? "" : `${above}.`}${key}[${index}]`;
      if (typeof item === "string") look(item, at);
      else if (inner !== undefined && isObject(item) && typeof item[inner] === "string")
        look(item[inner], `${at}.${inner}`);
    });
  }

  /** Checks a file, which kustomize requires in the folder or below. */
  file(at: string, path: string): void {
    const target = this.#inside(at, path);
    if (target !== undefined && !this.tree.files.has(target)) this.#missing(at, path, "a file");
  }

  /** Checks a file or a folder with a kustomization. */
  part(at: string, path: string, visit: (folder: string) => void): string | undefined {
    const target = this.#inside(at, path);
    if (target === undefined || this.tree.files.has(target)) return target;
    if (kustomizationIn(this.tree, target) === undefined)
      this.#missing(at, path, "a file, or a folder with a kustomization");
    visit(target);
    return undefined;
  }

  /** Checks an inline object, or a {@link part} that contains objects. */
  plugin(at: string, text: string, visit: (folder: string) => void): void {
    if (text.includes("\n") || /^\s*\{/.test(text)) return this.#objects(at, this.name, Buffer.from(text));
    const target = this.part(at, text, visit);
    const bytes = target === undefined ? undefined : this.tree.files.get(target);
    if (target !== undefined && bytes) this.#objects(at, target, bytes);
  }

  #objects(at: string, file: string, bytes: Buffer): void {
    const { documents } = readDocuments(file, bytes);
    for (const { value } of documents) {
      if (isObject(value) && value["kind"] === "HelmChartInflationGenerator")
        this.fault(at, "found a chart to be fetched; expected none");
      for (const path of pathsIn(value)) {
        if (isRemote(path)) this.#remote(at, path);
      }
    }
  }

  #inside(at: string, path: string): string | undefined {
    if (isRemote(path)) this.#remote(at, path);
    else {
      const target = inside(this.#folder, path);
      if (target !== undefined) return target;
      this.fault(at, `found ${JSON.stringify(path)}, which leads out of the bundle; expected a path inside of it`);
    }
    return undefined;
  }

  #remote(at: string, path: string): void {
    const why = "nothing is fetched, because the digest of a bundle stands for all of its content";
    this.fault(
      at,
      `found ${JSON.stringify(path)}; expected a path inside of the bundle: ${why}. Put a copy of it there`,
    );
  }

  #missing(at: string, path: string, expected: string): void {
    this.fault(at, `found ${JSON.stringify(path)}, which the bundle does not have; expected ${expected} of it`);
  }
}

/** Returns the texts under keys that name files, at any depth. */
function pathsIn(value: unknown, isPath = false): string[] {
  if (typeof value === "string") return isPath ? [value.slice(value.indexOf("=http") + 1)] : [];
  if (isList(value)) return value.flatMap((item) => pathsIn(item, isPath));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => pathsIn(item, PLUGIN_PATHS.has(key)));
}
