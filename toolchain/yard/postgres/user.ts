import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { userId } from "../../../foundation/process/user";

/** User of the PostgreSQL process, because it refuses to run as root. Undefined: the current user. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

function idOf(flag: "-u" | "-g"): number | undefined {
  const result = spawnSync("id", [flag, "postgres"], { encoding: "utf8" });
  return result.status === 0 ? Number(result.stdout.trim()) : undefined;
}

/** Returns the account `postgres`, and creates it if root runs a yard on a machine without one. */
export function postgresUser(): PostgresUser | undefined {
  if (userId() !== 0) return undefined;
  if (idOf("-u") === undefined) {
    try {
      execFileSync("groupadd", ["--system", "--force", "postgres"], { stdio: ["ignore", "ignore", "pipe"] });
      execFileSync(
        "useradd",
        ["--system", "--gid", "postgres", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"],
        {
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
    } catch (cause) {
      throw new Error(
        "PostgreSQL does not run as root and the account postgres could not be made; make it by hand (useradd --system postgres) or run make as another user",
        { cause },
      );
    }
  }
  const [uid, gid] = [idOf("-u"), idOf("-g")];
  if (uid === undefined || gid === undefined)
    throw new Error(
      "the account postgres was made, but id does not know it; make it by hand or run make as another user",
    );
  return { uid, gid };
}

/** Whether that user can access a folder: every parent folder must allow it, which root's home does not. */
export function mayEnter(user: PostgresUser | undefined, folder: string): boolean {
  if (!user) return true;
  const result = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...user, cwd: "/", stdio: "ignore" });
  return result.status === 0;
}

/** Returns a folder for that user if it can't access ours. Its name is random. */
export function folderAway(user: PostgresUser): string {
  const base = fs.existsSync("/var/tmp") ? "/var/tmp" : os.tmpdir();
  const folder = fs.mkdtempSync(path.join(base, "stackyard-postgres-"));
  fs.chownSync(folder, user.uid, user.gid);
  return folder;
}
