/** What every format of bundles gives. */

import type { KubeObject } from "../../kubernetes/objects";
import type { FileTree } from "../tree/tree";

/** An object of a bundle and where it stands. */
export interface BundleObject {
  readonly object: KubeObject;
  readonly file: string;
  readonly document: number;
  readonly line: number;
  /** Number that the file's name begins with; undefined when it begins with none. Lower ones come first. */
  readonly wave: number | undefined;
}

export interface BundleFormat {
  readonly name: string;
  /** Names at a bundle's root that are read. */
  readonly keep: readonly string[];
  /** The objects in the order in which they are meant. Throws a FormatError with every fault. */
  read(tree: FileTree): readonly BundleObject[];
}
