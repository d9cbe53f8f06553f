import * as path from "node:path";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import type { DescribedStack } from "../stacks";

/** Keys whose text is a path whatever it looks like. */
const PATH_KEYS: ReadonlySet<string> = new Set(["path", "file", "folder"]);

function* textsIn(value: unknown, key = ""): Generator<readonly [key: string, text: string]> {
  if (typeof value === "string") yield [key, value];
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each, key);
  else if (typeof value === "object" && value !== null) {
    for (const [inner, each] of Object.entries(value)) yield* textsIn(each, inner);
  }
}

/**
 * Whether a stack's config, or a part of it, names a file, or a folder that the file is in. A name without `/` is that of a
 * folder only where a path is expected: namespaces and the like may be called so too.
 */
export function namedBy({ project }: Pick<DescribedStack, "project">, config: unknown): (file: string) => boolean {
  const start = project === RUNTIME_PROJECT ? "runtime" : "";
  const named = [...textsIn(config)].flatMap(([key, text]) => {
    const found = path.posix.join(start, text).replace(/\/$/, "");
    return found === "." || found.startsWith("..") ? [] : [{ found, isPath: PATH_KEYS.has(key) || text.includes("/") }];
  });
  return (file) => named.some(({ found, isPath }) => file === found || (isPath && file.startsWith(`${found}/`)));
}
