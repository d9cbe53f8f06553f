import type { Source } from "../../provider/bundles/sources/source";

/** The source that a word on the command line means: a URL, else a folder or a file. */
export function sourceOf(text: string, directory: string | undefined): Source {
  if (/^https?:\/\//i.test(text)) return { type: "http", url: text, directory };
  return { type: "local", path: text, directory };
}
