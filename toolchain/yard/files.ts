import * as fs from "node:fs";
import * as path from "node:path";

/** Points a symbolic link at a target, replacing what was there. */
export function link(target: string, file: string): void {
  let present: string | undefined;
  try {
    present = fs.readlinkSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EINVAL") throw error;
  }
  if (present === target) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  fs.symlinkSync(target, temporary);
  fs.renameSync(temporary, file);
}

/**
 * Prevents programs from creating a folder, by a file with its name that contains the reason. An existing folder or
 * file stays.
 */
export function withoutFolder(folder: string, reason: string): void {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  fs.writeFileSync(folder, `${reason}\n`);
}

/** The last lines of a log, for an error. */
export function tail(file: string, lines: number): string {
  try {
    return fs.readFileSync(file, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    return "(no log)";
  }
}
