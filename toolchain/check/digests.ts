import { createHash } from "node:crypto";
import { reachedFrom, type Imports } from "../../foundation/reachedFrom";

/**
 * For each file a digest of everything that the checks of this file depend on: its own content, the contents of all files
 * that it imports, directly or not, and `common`, on which the checks of all files depend. Pure.
 */
export function digestsOf(
  graph: Imports,
  contents: ReadonlyMap<string, string>,
  common: string,
): ReadonlyMap<string, string> {
  const own = new Map([...graph.keys()].map((file) => [file, hash([file, contents.get(file) ?? ""])]));
  return new Map(
    [...graph.keys()].map((file) => {
      const inputs = [...reachedFrom(graph, [file])].sort().map((each) => own.get(each) ?? "");
      return [file, hash([common, file, ...inputs])];
    }),
  );
}

/** SHA-256 of a list of texts. Their lengths keep `["ab", "c"]` and `["a", "bc"]` apart. */
export function hash(texts: readonly string[]): string {
  const sum = createHash("sha256");
  for (const text of texts) sum.update(`${text.length}:`).update(text);
  return sum.digest("hex");
}
