// @ts-check
"use strict";

/*
 * A lock file that names its holder by process id and start time, so that the lock of a killed process is detected even
 * if its id was reused.
 */

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const POLL_MS = 150;

/**
 * Start time of a process, in the system's own unit; undefined if there is no such process.
 * @param {number} pid @returns {string | undefined}
 */
function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return undefined;
  }
  try {
    // The name in parentheses may contain any character, so count from its end. The start time is field 22; a zombie
    // counts as gone.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    if (fs.existsSync("/proc/self/stat")) return undefined; // The process has just ended.
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined; // ps reports a missing process by its exit code.
  }
}

/** @param {string} text @returns {boolean} Whether the holder in a lock file is still running. */
function held(text) {
  const [pid, start] = text.split(" ");
  return start !== undefined && startOf(Number(pid)) === start;
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Takes the lock if it is free; never waits. The file is created atomically with its content by a link, so readers
 * never see a part of it.
 * @param {string} file
 */
function tryLock(file) {
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, `${process.pid} ${startOf(process.pid)}`);
  try {
    fs.linkSync(own, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  } finally {
    fs.rmSync(own, { force: true });
  }
  const seen = read(file);
  if (seen !== undefined && !held(seen)) {
    // Several processes may find the same dead lock: one of them wins the rename, and one that renames a live lock by
    // accident restores it.
    const aside = `${file}.dead.${process.pid}`;
    try {
      fs.renameSync(file, aside);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return false;
      throw error;
    }
    if (held(read(aside) ?? "")) fs.linkSync(aside, file);
    fs.rmSync(aside, { force: true });
  }
  return false;
}

/**
 * Runs work while holding a lock, and waits for the current holder. A killed holder does not count.
 * @template T
 * @param {string} file @param {() => Promise<T>} work @param {(holder: string) => void} [onWait] Called once if it has
 * to wait.
 * @returns {Promise<T>}
 */
async function withLock(file, work, onWait) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let reported = false;
  while (!tryLock(file)) {
    const holder = read(file);
    if (holder === undefined || !held(holder)) continue; // Released, or left by a dead process and just removed.
    if (!reported) onWait?.(holder.split(" ")[0] ?? "");
    reported = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/**
 * Whether a running process holds a lock.
 * @param {string} file
 */
function isLocked(file) {
  return held(read(file) ?? "");
}

module.exports = { isLocked, startOf, withLock };
