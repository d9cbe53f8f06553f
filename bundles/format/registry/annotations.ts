/** `metadata/annotations.yaml`: marks a folder as an operator bundle, and names its package. */

import type { BundleFault } from "../../errors";
import type { FileTree } from "../../tree/tree";
import { newReadLimits, valueKind, readDocuments } from "../documents";
import { isObject } from "../../../foundation/json/isObject";

export const METADATA = "metadata";
export const ANNOTATIONS_FILE = `${METADATA}/annotations.yaml`;

const PREFIX = "operators.operatorframework.io.bundle";
export const PACKAGE = `${PREFIX}.package.v1`;
const MEDIA_TYPE = `${PREFIX}.mediatype.v1`;
export const REGISTRY_V1 = "registry+v1";

export function annotationFaults(tree: FileTree): readonly BundleFault[] {
  const { value, faults: found } = readMetadata(tree, ANNOTATIONS_FILE);
  if (found.length > 0) return found;
  const file = ANNOTATIONS_FILE;
  if (value === undefined) {
    return [{ file, what: "found no such file; expected the annotations of the bundle" }];
  }
  const { annotations } = isObject(value) ? value : {};
  if (!isObject(annotations)) {
    return [{ file, what: `annotations: found ${valueKind(annotations)}; expected an object` }];
  }
  const faults: BundleFault[] = [];
  const expect = (key: string, expected: string, isRight: (text: unknown) => boolean): void => {
    if (isRight(annotations[key])) return;
    faults.push({ file, what: `annotations["${key}"]: found ${valueKind(annotations[key])}; expected ${expected}` });
  };
  expect(MEDIA_TYPE, REGISTRY_V1, (text) => text === REGISTRY_V1);
  expect(PACKAGE, "the name of the package", (text) => typeof text === "string" && text.trim() !== "");
  for (const folder of ["manifests", METADATA]) {
    const isRight = (text: unknown): boolean => text === undefined || text === `${folder}/` || text === folder;
    expect(`${PREFIX}.${folder}.v1`, `${folder}/, which is what is read`, isRight);
  }
  return faults;
}

/** Reads the only document of a file; undefined if the file does not exist. */
export function readMetadata(
  { files }: FileTree,
  file: string,
): { readonly value: unknown; readonly faults: readonly BundleFault[] } {
  const bytes = files.get(file);
  if (bytes === undefined) return { value: undefined, faults: [] };
  const { documents, faults } = readDocuments(file, bytes, newReadLimits(true));
  if (faults.length > 0) return { value: undefined, faults };
  if (documents.length > 1)
    return { value: undefined, faults: [{ file, what: `found ${documents.length} documents; expected one` }] };
  return { value: documents[0]?.value ?? {}, faults: [] };
}
