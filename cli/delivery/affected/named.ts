import * as path from "node:path";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import type { DescribedStack } from "../../project/stacks";

/** Keys whose values are always paths. */
const PATH_KEYS: ReadonlySet<string> = new Set(["path", "file", "folder"]);

function* textsIn(value: unknown, key = ""): Generator<readonly [key: string, text: string]> {
  if (typeof value === "string") yield [key, value];
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each, key);
  else if (typeof value === "object" && value !== null) {
    for (const [inner, each] of Object.entries(value)) yield* textsIn(each, inner);
  }
}

/**
 * Returns whether a stack's config names a file, or a folder that contains it. A name without `/` only counts as a
 * folder where a path is expected, because namespaces and the like may have the same name. Pure.
 */
export function namedBy({ project }: Pick<DescribedStack, "project">, config: unknown): (file: string) => boolean {
  const start = project === RUNTIME_PROJECT ? "runtime" : "";
  const named = [...textsIn(config)].flatMap(([key, text]) => {
    const found = path.posix.join(start, text).replace(/\/$/, "");
    return found === "." || found.startsWith("..") ? [] : [{ found, isPath: PATH_KEYS.has(key) || text.includes("/") }];
  });
  return (file) => named.some(({ found, isPath }) => file === found || (isPath && file.startsWith(`${found}/`)));
}
