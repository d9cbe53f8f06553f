/** Sources that are identified by their content alone: anyone who wants the digest must read them. */

import { Refused } from "../errors";
import { contentDigest, type FileTree } from "../tree/tree";
import type { Access, SourceKind } from "./kind";

/** `subject` has the digest, `changed` says what must have happened when that is another one. */
export function byContent<S>(
  read: (source: S, access: Access) => Promise<FileTree>,
  subject: (source: S) => string,
  changed: string,
): Pick<SourceKind<S>, "resolve" | "fetch"> {
  return {
    resolve: async (source, access) => {
      const tree = await read(source, access);
      return { digest: contentDigest(tree), tree };
    },
    fetch: async (source, digest, access) => {
      const tree = await read(source, access);
      const found = contentDigest(tree);
      if (found === digest) return tree;
      throw new Refused(`${subject(source)} has the digest ${found}; expected ${digest}: ${changed}`);
    },
  };
}
