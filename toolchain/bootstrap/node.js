"use strict";

/* The first step: a recent Node.js. It runs on any installed Node.js, so it only uses built-in modules. */

const { execFileSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { download, reachable } = require("./download");
const { withLock } = require("./lock");
const { toolsFolder } = require("./paths");
const { say, step } = require("./progress");

/** @type {{ version: string, least: string, integrity: Record<string, string> }} */
const PINNED = require("./node-packages.json");

/** @param {string} version @param {string} [least] */
function newEnough(version, least = PINNED.least) {
  const [found, wanted] = [version, least].map((text) => text.replace(/^v/, "").split(".").map(Number));
  const at = found?.findIndex((part, index) => part !== wanted?.[index]) ?? -1;
  return at < 0 || (found?.[at] ?? 0) > (wanted?.[at] ?? 0);
}

/** @param {string} platform @param {string} temporary @returns {Promise<boolean>} */
async function fromNodejsOrg(platform, temporary) {
  const base = `https://nodejs.org/dist/v${PINNED.version}`;
  if (!(await reachable(base))) {
    say("  nodejs.org cannot be reached from here; taking the npm package instead");
    return false;
  }
  const archive = path.join(temporary, "node.tar.gz");
  try {
    await download({
      url: `${base}/node-v${PINNED.version}-${platform}.tar.gz`,
      checksums: `${base}/SHASUMS256.txt`,
      target: archive,
    });
  } catch (error) {
    say(`  ${/** @type {Error} */ (error).message}; taking the npm package instead`);
    return false;
  }
  execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", temporary]);
  fs.rmSync(archive);
  return true;
}

/** @param {string} platform @param {string} temporary */
function fromNpm(platform, temporary) {
  const integrity = PINNED.integrity[platform];
  if (!integrity) {
    throw new Error(
      `Node.js ${process.versions.node} is too old and nodejs.org cannot be reached; for ${platform} there is no other source. Expected Node.js >= ${PINNED.least}: install it and run make again`,
    );
  }
  const name = `node-${platform}@${PINNED.version}`;
  execFileSync("npm", ["pack", name, "--silent", "--ignore-scripts", "--pack-destination", temporary], {
    stdio: ["ignore", "ignore", "inherit"],
    cwd: temporary,
  });
  const file = fs.readdirSync(temporary).find((entry) => entry.endsWith(".tgz"));
  if (!file) throw new Error(`npm pack ${name} left no archive; expected one in ${temporary}`);
  const archive = path.join(temporary, file);
  const found = `sha512-${createHash("sha512").update(fs.readFileSync(archive)).digest("base64")}`;
  if (found !== integrity)
    throw new Error(
      `the npm package ${name} has the integrity ${found}; toolchain/bootstrap/node-packages.json says ${integrity}. It was not used`,
    );
  fs.mkdirSync(path.join(temporary, "bin"));
  execFileSync("tar", ["-xzf", archive, "--strip-components=2", "-C", path.join(temporary, "bin"), "package/bin/node"]);
  fs.rmSync(archive);
}

/**
 * Returns a Node.js of version 22.15 (zstd) or newer: the current one if it is new enough, else the pinned one in the
 * tools folder, which is downloaded if it is missing.
 * @returns {Promise<string>} Path of the executable.
 */
async function ensureNode() {
  if (newEnough(process.versions.node)) return process.execPath;
  const tools = toolsFolder();
  const folder = path.join(tools, `node-${PINNED.version}`);
  const node = path.join(folder, "bin", "node");
  if (fs.existsSync(node)) return node;

  const platform = `${process.platform}-${process.arch}`;
  await withLock(
    `${folder}.lock`,
    async () => {
      if (fs.existsSync(node)) return;
      const temporary = fs.mkdtempSync(`${folder}.new-`);
      try {
        await step(
          `Node.js ${PINNED.version}, because ${process.versions.node} is installed and ${PINNED.least} or newer is needed: downloading`,
          "about 30 s",
          async () => {
            if (!(await fromNodejsOrg(platform, temporary))) fromNpm(platform, temporary);
          },
        );
        const version = execFileSync(path.join(temporary, "bin", "node"), ["--version"], { encoding: "utf8" }).trim();
        if (version !== `v${PINNED.version}`)
          throw new Error(`the downloaded Node.js says it is ${version}; expected v${PINNED.version}`);
        fs.renameSync(temporary, folder);
      } finally {
        fs.rmSync(temporary, { recursive: true, force: true });
      }
    },
    (holder) => say(`• Node.js ${PINNED.version}: process ${holder} is fetching it; waiting`),
  );
  return node;
}

module.exports = { ensureNode, newEnough };
