import { hostname, userInfo } from "node:os";
import type { IsOver } from "../../engine/locks/acquire";
import type { LockHolder } from "../../engine/locks/stackLock";
import { GitHub } from "../delivery/review/github";
import type { HolderFlags } from "./options";

/** Who runs this command: in a job of GitHub Actions whoever started it, else the user of this machine. */
export function holderOf({ pullRequest }: HolderFlags, env: NodeJS.ProcessEnv = process.env): LockHolder {
  const user = env["GITHUB_ACTIONS"] === "true" && env["GITHUB_ACTOR"] ? env["GITHUB_ACTOR"] : onThisMachine();
  return { user, ...(pullRequest !== undefined && { pullRequest }) };
}

const onThisMachine = (): string => `${userInfo().username}@${hostname()}`;

/**
 * Whether the pull request that a lock is held for is over: closed, or merged into the commit that this job works on. Only
 * a job of GitHub Actions can know that; for anybody else no lock is.
 */
export function isOverOnGitHub(env: NodeJS.ProcessEnv = process.env): IsOver {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = env;
  if (!token || !repository || !commit) return () => Promise.resolve(false);
  return async ({ pullRequest }) => {
    if (pullRequest === undefined) return false;
    const github = await GitHub.connect(env);
    const { state, mergedAs } = await github.pullRequest(pullRequest);
    if (state === "open") return false;
    return mergedAs === undefined || github.isContained(mergedAs, commit);
  };
}
