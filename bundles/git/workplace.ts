/** A temporary folder for work with git, with its credentials. */

import type { SourceOf } from "../../foundation/bundleSources";
import { readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Refused } from "../errors";
import { LIMITS, mib } from "../limits";
import type { Trust } from "../../foundation/net/http";
import type { Remote } from "./remote";
import { environment, runGit } from "./run";

type GitAuth = NonNullable<SourceOf<"git">["auth"]>;

interface GitOptions {
  readonly input?: string;
  /** Maximum output in bytes. Default: the limit for responses that are not content. */
  readonly most?: number;
  readonly timeoutMs?: number;
  readonly memoryBytes?: number;
}

export interface Workplace {
  readonly git: (args: readonly string[], options?: GitOptions) => Promise<Buffer>;
}

/** Runs work with an empty repository, which is deleted afterwards. */
export async function inWorkplace<T>(
  remote: Remote,
  auth: GitAuth,
  trust: Trust,
  signal: AbortSignal | undefined,
  work: (place: Workplace) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "stackyard-git-"));
  try {
    const env = environment(
      remote.protocol,
      await settings(folder, remote, auth, trust),
      await variables(folder, remote, auth),
    );
    const watch = (): void => {
      if (sizeOf(folder) > LIMITS.gitBytes)
        throw new Refused(`git fetches more than ${mib(LIMITS.gitBytes)} for one commit`);
    };
    const cwd = join(folder, "repository");
    await mkdir(cwd);
    return await work({
      git: (args, { most = LIMITS.answerBytes, ...options } = {}) =>
        runGit({ args, cwd, env, most, ...options, watch, signal }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function settings(folder: string, remote: Remote, auth: GitAuth, trust: Trust): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const password = auth.token ?? auth.password;
  if (remote.origin !== undefined && (password ?? auth.username) !== undefined) {
    const user = auth.username ?? "x-access-token";
    const basic = Buffer.from(`${user}:${password ?? ""}`).toString("base64");
    found[`http.${remote.origin}/.extraHeader`] = `Authorization: Basic ${basic}`;
  }
  if (trust.insecureSkipTLSVerify === true) found["http.sslVerify"] = "false";
  if (trust.certificateData !== undefined)
    found["http.sslCAInfo"] = await file(folder, "ca.pem", trust.certificateData);
  return found;
}

/** Without a key, ssh uses the user's own configuration, but must not prompt. */
async function variables(folder: string, remote: Remote, auth: GitAuth): Promise<NodeJS.ProcessEnv> {
  if (remote.protocol !== "ssh") return { HOME: folder };
  const options = [
    "BatchMode=yes",
    "StrictHostKeyChecking=yes",
    "ConnectTimeout=20",
    "ClearAllForwardings=yes",
    "PermitLocalCommand=no",
  ];
  if (auth.knownHosts !== undefined) {
    options.push(
      `UserKnownHostsFile=${await file(folder, "known_hosts", auth.knownHosts)}`,
      `GlobalKnownHostsFile=${devNone}`,
    );
  }
  const own = auth.privateKey === undefined;
  if (auth.privateKey !== undefined) {
    options.push(
      `IdentityFile=${await file(folder, "key", auth.privateKey)}`,
      "IdentitiesOnly=yes",
      "IdentityAgent=none",
    );
  }
  const words = ["ssh", ...(own ? [] : ["-F", "none"]), ...options.flatMap((option) => ["-o", option])];
  return {
    HOME: homedir(),
    GIT_SSH_COMMAND: words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" "),
    ...(own && process.env["SSH_AUTH_SOCK"] !== undefined ? { SSH_AUTH_SOCK: process.env["SSH_AUTH_SOCK"] } : {}),
  };
}

const devNone = "/dev/null";

/** Readable by this user only. ssh rejects a key without a final line break. */
async function file(folder: string, name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content.endsWith("\n") ? content : `${content}\n`, { mode: 0o600 });
  return join(folder, name);
}

function sizeOf(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    // Git may delete its temporary files meanwhile.
    if (entry.isFile()) size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}
