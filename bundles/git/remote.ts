/** Location of a git repository, and the ref to read. */

import type { SourceOf } from "../../foundation/bundleSources";
import { Refused } from "../errors";
import { parseUrl } from "../../foundation/net/url";

export type Protocol = "https" | "http" | "ssh" | "file";

export interface Remote {
  /** URL for git. */
  readonly url: string;
  readonly protocol: Protocol;
  /** For https and http: the origin that credentials are bound to. */
  readonly origin?: string;
}

/** `git@host:path`, which only git accepts as a URL. */
const SCP = /^(?:([A-Za-z0-9._][A-Za-z0-9._-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)([^\s:-][^\s]*)$/;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9][a-z0-9.-]*)$/i;

/** Parses a URL. Throws {@link Refused} for an invalid one, and for one that makes git run a program. */
export function parseRemote(text: string): Remote {
  if (/^(https?):/i.test(text)) {
    const url = parseUrl(text, ["https:", "http:"]);
    return { url: url.href, protocol: url.protocol === "https:" ? "https" : "http", origin: url.origin };
  }
  if (/^ssh:/i.test(text) && URL.canParse(text)) {
    const url = new URL(text);
    if (
      HOST.test(url.hostname) &&
      url.password === "" &&
      /^[A-Za-z0-9._-]*$/.test(url.username) &&
      !url.username.startsWith("-")
    ) {
      return { url: url.href, protocol: "ssh" };
    }
  }
  // Before a double colon, git expects the name of a remote helper program.
  if (!text.includes("::")) {
    if (/^file:\/\/\/[^\s\p{C}]+$/iu.test(text)) return { url: text, protocol: "file" };
    if (SCP.test(text)) return { url: text, protocol: "ssh" };
  }
  throw new Refused(
    `found a repository that begins with ${JSON.stringify(text.slice(0, 12))}; expected https://…, ssh://…, user@host:path or file:///…, without a password`,
  );
}

type GitRef = SourceOf<"git">["ref"];

/** Checks that exactly one of the three is set, and returns the commit, or the full ref names of the branch or tag. */
export function parseRef({
  branch,
  tag,
  commit,
}: GitRef): { readonly commit: string } | { readonly names: readonly string[] } {
  const given = [branch, tag, commit].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new Refused(`ref: found ${given.length} of branch, tag and commit; expected exactly one`);
  if (commit !== undefined) {
    if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return { commit };
    throw new Refused(`ref.commit: found ${JSON.stringify(commit.slice(0, 80))}; expected all 40 digits of a commit`);
  }
  const [name = ""] = given;
  const legal =
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.lock(\/|$)|(^|\/)\.|\.$/.test(name) && !/^[-/]|^@?$/.test(name);
  if (!legal)
    throw new Refused(`ref: found ${JSON.stringify(name.slice(0, 80))}; expected the name of a branch or tag`);
  // The commit of an annotated tag comes second.
  return { names: branch === undefined ? [`refs/tags/${name}`, `refs/tags/${name}^{}`] : [`refs/heads/${name}`] };
}
