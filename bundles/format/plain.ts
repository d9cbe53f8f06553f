/** Format plain+v0: manifests without rendering. */

import { FormatError } from "../errors";
import type { FileTree } from "../tree/tree";
import type { BundleFormat, BundleObject } from "./format";
import { FOLDER, readManifests } from "./manifests";

const NAME = "plain+v0";

export const PLAIN: BundleFormat = {
  name: NAME,
  keep: [FOLDER],
  // Converts thrown errors to a rejected promise.
  read: async (tree) => Promise.resolve(readPlain(tree)),
};

export function readPlain(tree: FileTree): readonly BundleObject[] {
  const { objects, faults } = readManifests(tree);
  if (faults.length > 0) throw new FormatError(NAME, faults);
  return objects;
}
