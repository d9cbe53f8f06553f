import type { Trust } from "../../../foundation/net/http";
import type { GitSource } from "../../../bundles/sources/git";
import type { Source } from "../../../foundation/bundleSources";
import type { SourceOptions } from "../options";
import { UsageError } from "../../../foundation/errors";

const OCI = /^oci:\/\//i;

/** Removes the scheme of an image reference. */
export const withoutScheme = (text: string): string => text.replace(OCI, "");

/** Parses a source on the command line: a URL, else a folder or a file. */
export function sourceOf(text: string, { directory, plainHttp }: SourceOptions, trust: Trust): Source {
  if (/^https?:\/\//i.test(text)) return { type: "http", url: text, directory, ...trust };
  if (OCI.test(text)) return { type: "image", ref: withoutScheme(text), directory, plainHttp, ...trust };
  if (/^git\+/i.test(text)) return { ...gitOf(text), directory, ...trust };
  return { type: "local", path: text, directory };
}

/** Parses `git+https://host/repository#tag=v1`. */
function gitOf(text: string): GitSource {
  const [, repository = "", kind, name = ""] = /^git\+([^#]+)#(branch|tag|commit)=(.+)$/i.exec(text) ?? [];
  if (kind !== undefined) return { type: "git", repository, ref: { [kind.toLowerCase()]: name } };
  throw new UsageError(
    `found the source ${text.replace(/\/\/[^/@]*@/, "//…@")}; expected git+<repository>#branch=<name>, …#tag=<name> or …#commit=<40 digits>`,
  );
}
