import { hostname } from "node:os";
import type { IsStale } from "../../engine/locks/acquire";
import type { LockHolder } from "../../engine/locks/stackLock";
import { userName } from "../../foundation/process/user";
import { GitHub } from "../github";
import type { HolderFlags } from "./options";

/** Returns who runs this command: the actor of a GitHub Actions job, else the user of this machine. */
export function holderOf({ pullRequest }: HolderFlags, env: NodeJS.ProcessEnv = process.env): LockHolder {
  const user = env["GITHUB_ACTIONS"] === "true" && env["GITHUB_ACTOR"] ? env["GITHUB_ACTOR"] : onThisMachine();
  return { user, ...(pullRequest !== undefined && { pullRequest }) };
}

const onThisMachine = (): string => `${userName()}@${hostname()}`;

/**
 * Returns whether the pull request of a lock is over: closed, or merged into the commit of this job. Only a job of
 * GitHub Actions can determine this; elsewhere no lock is over.
 */
export function isStaleOnGitHub(env: NodeJS.ProcessEnv = process.env): IsStale {
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
