/** Format kustomize: a kustomization, built by the kustomize library in the Kubernetes provider. */

import { isList, type KubeObject } from "../../../kubernetes/objects/objects";
import { EngineRefusal } from "../../../kubernetes/helmEngine/engine";
import { FormatError, Refused, type BundleFault } from "../../errors";
import { LIMITS } from "../../limits";
import type { FileTree } from "../../tree/tree";
import type { BundleFormat, BundleObject, Purpose } from "../format";
import { faultOf, duplicateFaults } from "../manifests";
import { mapFaults, settled } from "../metadata";
import { largeNumber } from "../numbers";
import { inside } from "./paths";
import { kustomizationIn, kustomizedFolders, referenceFaults } from "./references";
import { isObject, type Json } from "../../../foundation/json/isObject";

const NAME = "kustomize";
const HEADING = "the kustomization can't be built:";

const FILE = "kustomization.yaml";

export const KUSTOMIZE: BundleFormat = {
  name: NAME,
  // A kustomization may refer to any folder.
  keep: undefined,
  looksSo: {
    beside: (names) => names.some((name) => /^(kustomization\.ya?ml|Kustomization)$/.test(name)),
    inside: (tree) => kustomizationIn(tree, "") !== undefined,
  },
  async read(tree, purpose) {
    const folder = folderIn(purpose.values, tree);
    const faults = referenceFaults(tree, folder);
    if (faults.length > 0) throw new FormatError(NAME, faults);
    return objectsIn(await built(tree, folder, purpose), kustomizationIn(tree, folder) ?? FILE);
  },
};

/** The only value is the folder to build. Messages don't contain it, because values may be secret. */
function folderIn(values: Json, tree: FileTree): string {
  const unknown = Object.keys(values).filter((key) => key !== "path");
  if (unknown.length > 0)
    throw new Refused(`values: found ${unknown.join(", ")}; a kustomization takes path, the folder to be built`);
  const { path = "" } = values;
  const folder = typeof path === "string" ? inside("", path) : undefined;
  if (folder !== undefined && kustomizationIn(tree, folder) !== undefined) return folder;
  const there = kustomizedFolders(tree).filter((one) => one !== "");
  const what =
    path === ""
      ? `found no such file at the bundle's root; expected one there, or values with path: ${shown(there)}`
      : `found no kustomization in the folder that values name as path; expected ${shown(there)}`;
  throw new FormatError(NAME, [{ file: FILE, what }]);
}

const MOST_SHOWN = 20;

function shown(folders: readonly string[]): string {
  if (folders.length === 0) return "a folder with one, of which there is none";
  const more = folders.length > MOST_SHOWN ? " …" : "";
  return `one of ${folders.toSorted().slice(0, MOST_SHOWN).join(", ")}${more}`;
}

/** The engine is loaded on demand. */
async function built(tree: FileTree, folder: string, { signal }: Purpose): Promise<readonly unknown[]> {
  const { renderFiles } = await import("../../../kubernetes/helmEngine/renderer.js");
  const args = (place: string) => ({ directory: folder === "" ? place : `${place}/${folder}` });
  try {
    const rendering = { token: "kubernetes:kustomize:directory", args, title: "the kustomization" };
    const result = await renderFiles(tree.files, rendering, signal);
    return isList(result) ? result : [];
  } catch (error) {
    if (!(error instanceof EngineRefusal)) throw error;
    // As an empty chart, it may get objects later.
    if (EMPTY.test(error.message)) return [];
    const file = kustomizationIn(tree, folder) ?? FILE;
    throw new FormatError(NAME, [{ file, what: reasonOf(error.message) }], HEADING);
  }
}

const EMPTY = /kustomization\.ya?ml is empty$/i;

/** Removes the temporary folder from a message. */
const reasonOf = (message: string): string =>
  message
    .replace(/^kustomize failed for directory "[^"]*": /, "")
    .replaceAll(/\/?[^\s'"`]*stackyard-render-[^/\s'"`]*\/files-[^/\s'"`]*\/?/g, "");

function objectsIn(all: readonly unknown[], file: string): BundleObject[] {
  const faults: BundleFault[] = [];
  const objects = all.flatMap((value): BundleObject[] => {
    const what = faultOf(value) ?? largeNumber(value);
    if (what !== undefined || !isObject(value)) {
      faults.push({ file, what: what ?? "found what is no object" });
      return [];
    }
    const object = value as KubeObject;
    faults.push(...mapFaults(object).map((one) => ({ file, what: one })));
    return [{ object: settled(object), file, wave: undefined }];
  });
  faults.push(...duplicateFaults(objects));
  if (objects.length > LIMITS.objects) faults.push({ file, what: `found more than ${LIMITS.objects} objects` });
  if (faults.length > 0) throw new FormatError(NAME, faults, HEADING);
  return objects;
}
