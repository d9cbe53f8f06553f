/** A commit of a git repository. */

import type { SourceOf } from "../../foundation/bundleSources";
import { Refused, Unavailable } from "../errors";
import { readCommit } from "../git/commit";
import { parseRef, parseRemote } from "../git/remote";
import { inWorkplace, type Workplace } from "../git/workplace";
import { MIB } from "../../foundation/net/bytes";
import { withRetries } from "../../foundation/net/http";
import { cleanDirectory } from "../tree/paths";
import { readTree } from "../tree/readTree";
import type { FileTree } from "../tree/tree";
import type { SourceAccess, SourceKind } from "./kind";

export type GitSource = SourceOf<"git">;

export const gitSource: SourceKind<GitSource> = {
  describe: ({ repository, ref }) => {
    const { url } = parseRemote(repository);
    return `${url.replace(/[?#].*$/s, "")}#${ref.commit?.slice(0, 12) ?? ref.tag ?? ref.branch ?? ""}`;
  },
  cacheKey: ({ directory }) => ({ type: "git", directory: cleanDirectory(directory) }),
  resolve: async (source, access) => {
    const wanted = parseRef(source.ref);
    const commit = "commit" in wanted ? wanted.commit : await lookUp(source, wanted.names, access);
    return { digest: `commit:${commit}` };
  },
  fetch: (source, digest, access) => {
    const [, commit = ""] = /^commit:([0-9a-f]{40}|[0-9a-f]{64})$/.exec(digest) ?? [];
    if (commit === "") throw new Refused(`found the digest ${digest}; expected commit: and the 40 digits of one`);
    return fetchCommit(source, commit, access);
  },
};

const work = <T>(
  source: GitSource,
  { signal }: SourceAccess,
  what: (place: Workplace, url: string) => Promise<T>,
): Promise<T> => {
  const remote = parseRemote(source.repository);
  return withRetries(
    () => inWorkplace(remote, source.auth ?? {}, source, signal, (place) => what(place, remote.url)),
    signal,
  );
};

/** Limits for listing branches and tags: some servers never finish. */
const NAMES = { timeoutMs: 60_000, memoryBytes: 512 * MIB };

/** Returns the commit of a branch or tag; the last name that the server knows wins. */
function lookUp(source: GitSource, names: readonly string[], access: SourceAccess): Promise<string> {
  return work(source, access, async ({ git }, url) => {
    const lines = (await git(["ls-remote", "--quiet", "--", url, ...names], NAMES)).toString("utf8").split("\n");
    const known = new Map(lines.map((line) => line.split("\t")).map(([commit = "", name = ""]) => [name, commit]));
    const commit = names.map((name) => known.get(name)).findLast((each) => each !== undefined);
    if (commit !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return commit;
    throw new Unavailable(
      `the repository has no ${names[0]?.replace("refs/heads/", "branch ").replace("refs/tags/", "tag ")}`,
      false,
    );
  });
}

function fetchCommit(source: GitSource, commit: string, access: SourceAccess): Promise<FileTree> {
  return work(source, access, async (place, url) => {
    const { git } = place;
    const format = commit.length === 64 ? ["--object-format=sha256"] : [];
    await git(["init", "--quiet", "--bare", "--template=", ...format, "."]);
    const fetching = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    try {
      await git([...fetching, "--depth=1", "--", url, commit]);
    } catch (error) {
      // Some servers only serve commits of branches and tags, with their history.
      if (!(error instanceof Unavailable) || !/unadvertised object|not our ref/.test(error.message)) throw error;
      await git([...fetching, "--", url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]);
    }
    const type = (await git(["cat-file", "-t", commit])).toString("utf8").trim();
    if (type !== "commit") throw new Refused(`${commit} is a ${type}; expected a commit`);
    const scope = { directory: cleanDirectory(source.directory), keep: access.keep };
    return readTree(scope, (builder) => readCommit(commit, builder, place));
  });
}
