import type { Source } from "../../provider/bundles/sources/source";

/** The source that a word on the command line means. */
export function sourceOf(text: string, directory: string | undefined): Source {
  return { type: "local", path: text, directory };
}
