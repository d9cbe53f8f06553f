/** Reads the bundle in a source, wherever its links lead in the source. */

import { Refused } from "../errors";
import { LIMITS } from "../limits";
import { TreeBuilder, type SourceScope } from "./builder";
import type { FileTree } from "./tree";

/** Maximum number of times that a source is read because its links lead to what was not read before. */
const READS = 8;

export async function readTree(
  scope: Omit<SourceScope, "image">,
  read: (builder: TreeBuilder) => Promise<void>,
): Promise<FileTree> {
  const also = new Set<string>();
  for (let { directory } = scope, reads = 0; reads < READS; reads++) {
    const builder = new TreeBuilder({ ...scope, directory, image: false }, LIMITS, also);
    await read(builder);
    const root = builder.root();
    if (root === directory) {
      const tree = builder.build();
      if (builder.needs.size === 0) return tree;
    }
    directory = root;
    for (const path of builder.needs) also.add(path);
  }
  throw new Refused(`its links lead from one to the next more than ${READS} times; expected links to its content`);
}
