// @ts-check
"use strict";

/*
 * A lock that is a file naming its holder: process id and when that process started, so that a lock left by a killed
 * process is known as such even when its id has been given to another one.
 */

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const POLL_MS = 150;

/**
 * When a process started, in whatever unit the system has; undefined when there is no such process.
 * @param {number} pid @returns {string | undefined}
 */
function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") return undefined;
  }
  try {
    // The name in parentheses may contain anything, so count from its end; the start is field 22 of the line, a zombie counts as gone.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    if (fs.existsSync("/proc/self/stat")) return undefined; // Ended just now.
  }
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined; // ps says so with its exit code.
  }
}

/** @param {string} text @returns {boolean} Whether the holder that a lock file names is still there. */
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
 * Takes the lock or not; never waits. The file appears with its content in one step (a link), so no reader sees it half written.
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
    // Two may see the same dead lock: the rename is won by one, and whoever takes a live lock by accident puts it back.
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
 * Runs work while holding a lock; waits for whoever has it. A holder that was killed does not count.
 * @template T
 * @param {string} file @param {() => Promise<T>} work @param {(holder: string) => void} [onWait] Called once when it must wait.
 * @returns {Promise<T>}
 */
async function withLock(file, work, onWait) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!tryLock(file)) {
    const holder = read(file);
    if (holder === undefined || !held(holder)) continue; // Given back, or left by a dead one, which was just cleared away.
    if (!told) onWait?.(holder.split(" ")[0] ?? "");
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/**
 * Whether somebody alive holds a lock right now.
 * @param {string} file
 */
function isLocked(file) {
  return held(read(file) ?? "");
}

module.exports = { isLocked, startOf, withLock };
