"use strict";

/*
 * A lock file that names its holder by process id, start time, boot and PID namespace, so that the lock of a killed
 * process is detected even if its id was reused, and another container's lock is not taken for that of a killed process.
 * foundation/process/identity.ts has the same for the product; this file runs before TypeScript can be loaded.
 */

const { execFileSync } = require("node:child_process");
const { randomUUID } = require("node:crypto");
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

/** Boot id and PID namespace of this process, as one word; empty where the system does not report them. */
function spaceOf() {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fs.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

/**
 * @param {string} text @returns {boolean} Whether the holder in a lock file may still be running. One of another
 * container on this machine is out of sight, so it counts as running. One of another boot has ended with it.
 */
function held(text) {
  const [pid, start, space = ""] = text.split(" ");
  if (start === undefined) return false;
  const own = spaceOf();
  if (space !== own && space.split("/")[0] === own.split("/")[0]) return true;
  return space === own && startOf(Number(pid)) === start;
}

/** @param {string} text @param {string} file @returns {string} The holder, for people. */
function nameOf(text, file) {
  const [pid = "", , space] = text.split(" ");
  return space === spaceOf() ? pid : `${pid} of another container (if that has ended, remove ${file})`;
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
  const own = `${file}.${randomUUID()}`;
  fs.writeFileSync(own, `${process.pid} ${startOf(process.pid)} ${spaceOf()}`);
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
    const aside = `${file}.dead.${randomUUID()}`;
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
    if (!reported) onWait?.(nameOf(holder, file));
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
