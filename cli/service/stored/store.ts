import { jsonIn } from "../../../foundation/json/isObject";
import { rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { isMissing } from "../../../foundation/errorCode";
import { Failure } from "../../../foundation/errors";
import { createWhole, keepWhole, makeFolder, textIfThere } from "../../../foundation/wholeFile";

const loginSchema = z.object({
  token: z.string(),
  tenant: z.string().optional(),
  /** How to get the next token; none for a token from elsewhere. */
  renewal: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      expires: z.iso.datetime(),
      refreshToken: z.string().optional(),
    })
    .optional(),
});

const schema = z.object({ current: z.string().optional(), services: z.record(z.string(), loginSchema) });

/** The login at a service. */
export type Login = z.infer<typeof loginSchema>;

/** Logins by the URL of the service's API, and the current one. */
export type Logins = z.infer<typeof schema>;

/** Longer than a renewal takes. A lock of this age was left by a process that was killed. */
const STALE_MS = 60_000;

/** The file of the logins, as the XDG Base Directory Specification places it. */
export function loginsFile(env: NodeJS.ProcessEnv = process.env): string {
  const given = env.XDG_CONFIG_HOME;
  // A relative path is invalid there, and is ignored.
  const folder = given !== undefined && path.isAbsolute(given) ? given : path.join(homedir(), ".config");
  return path.join(folder, "stackyard", "logins.json");
}

export async function readLogins(file = loginsFile()): Promise<Logins> {
  const text = await textIfThere(file);
  if (text === undefined) return { services: {} };
  const { data } = schema.safeParse(jsonIn(text));
  // The content has tokens, so the error does not show it.
  if (!data) throw new Failure(`${file} is not a file of logins; delete it and log in again`);
  return data;
}

/** Changes the logins. One process at a time does, because an issuer accepts a refresh token once. */
export async function changeLogins<Result extends Logins>(
  change: (logins: Logins) => Result | Promise<Result>,
  file = loginsFile(),
): Promise<Result> {
  const lock = `${file}.lock`;
  await makeFolder(path.dirname(file), 0o700);
  while (!(await createWhole(lock, `${process.pid}\n`))) {
    if (await isStale(lock)) await rm(lock, { force: true });
    else await sleep(50);
  }
  try {
    const logins = await change(await readLogins(file));
    await keepWhole(file, Buffer.from(`${JSON.stringify(logins, null, 2)}\n`), true);
    return logins;
  } finally {
    await rm(lock, { force: true });
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > STALE_MS;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
