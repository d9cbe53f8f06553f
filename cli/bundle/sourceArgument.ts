import type { Source } from "../../provider/bundles/sources/source";
import { UsageError } from "../errors";

/** The source that a word on the command line means: a URL, else a folder or a file. */
export function sourceOf(text: string, directory: string | undefined): Source {
  if (/^https?:\/\//i.test(text)) return { type: "http", url: text, directory };
  if (/^oci:\/\//i.test(text)) return { type: "image", ref: text.slice("oci://".length), directory };
  if (/^git\+/i.test(text)) return gitOf(text, directory);
  return { type: "local", path: text, directory };
}

/** `git+https://host/repository#tag=v1` */
function gitOf(text: string, directory: string | undefined): Source {
  const [, repository = "", kind, name = ""] = /^git\+([^#]+)#(branch|tag|commit)=(.+)$/i.exec(text) ?? [];
  if (kind !== undefined) return { type: "git", repository, ref: { [kind.toLowerCase()]: name }, directory };
  throw new UsageError(
    `found the source ${text.replace(/\/\/[^/@]*@/, "//…@")}; expected git+<repository>#branch=<name>, …#tag=<name> or …#commit=<40 digits>`,
  );
}
