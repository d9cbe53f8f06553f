/** Sources that are identified only by their content, so that determining the digest requires reading them. */

import { Refused } from "../errors";
import { contentDigest, type FileTree } from "../tree/tree";
import type { SourceAccess, SourceKind } from "./kind";

/** `subject`: what has the digest; `changed`: explains a different digest. */
export function byContent<S>(
  read: (source: S, access: SourceAccess) => Promise<FileTree>,
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
