"use strict";

/*
 * Downloads official archives. A file is only kept if it matches its published checksum. An unreachable host costs a
 * few seconds once, not once per file.
 */

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { Readable, Transform } = require("node:stream");
const { pipeline } = require("node:stream/promises");

/** How long a host may take to respond at all. */
const REACH_MS = 4000;
/** How long a download may stall. */
const STALL_MS = 20_000;

/** A host or file is unavailable; the next way to get the tool is used. */
class Unreachable extends Error {}
/** A file does not match its published checksum. */
class ChecksumMismatch extends Error {}

/** @type {Map<string, Promise<boolean>>} */
const probes = new Map();

/**
 * Whether the host of a URL responds within four seconds. Checked once per host and run.
 * @param {string} url @param {number} [limitMs]
 */
function reachable(url, limitMs = REACH_MS) {
  const { origin } = new URL(url);
  let probe = probes.get(origin);
  if (!probe) {
    probe = fetch(origin, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(limitMs) }).then(
      () => true,
      () => false,
    );
    probes.set(origin, probe);
  }
  return probe;
}

/** @param {string} url @param {AbortSignal} signal */
async function open(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (cause) {
    throw new Unreachable(`${url} cannot be reached`, { cause });
  }
  if (!response.ok || !response.body) throw new Unreachable(`${url} answered with HTTP status ${response.status}`);
  return response;
}

/** @param {string} url @param {number} [limitMs] @returns {Promise<string>} */
async function fetchText(url, limitMs = STALL_MS) {
  const response = await open(url, AbortSignal.timeout(limitMs));
  try {
    return await response.text();
  } catch (cause) {
    throw new Unreachable(`${url} stopped answering`, { cause });
  }
}

/**
 * @param {string} text @param {string} file @returns {string | undefined} The digest in GitHub's description of a
 * release.
 */
function digestOf(text, file) {
  const release = /** @type {{ assets?: { name?: string, digest?: string | null }[] }} */ (JSON.parse(text));
  return release.assets?.find((asset) => asset.name === file)?.digest?.replace(/^sha\d+:/, "");
}

/**
 * Finds the checksum of a file in a published list (`<hex>  <name>` per line), in a file with a single checksum, or in
 * GitHub's description of a release (JSON). Its length determines the algorithm: 64 digits are SHA-256, 128 are
 * SHA-512.
 * @param {string} list @param {string} file
 * @returns {{ algorithm: "sha256" | "sha512", hex: string } | undefined}
 */
function checksumOf(list, file) {
  if (list.trimStart().startsWith("{")) {
    const digest = digestOf(list, file);
    return digest === undefined ? undefined : checksumOf(digest, file);
  }
  const lines = list.split(/\r?\n/).filter((line) => line.trim() !== "");
  for (const line of lines) {
    const [hex = "", name] = line.trim().split(/\s+\*?/);
    if (!/^([0-9a-f]{64}|[0-9a-f]{128})$/i.test(hex)) continue;
    const matches = name === undefined ? lines.length === 1 : name.split("/").pop() === file;
    if (matches) return { algorithm: hex.length === 64 ? "sha256" : "sha512", hex: hex.toLowerCase() };
  }
  return undefined;
}

/**
 * Downloads a file and verifies it against a published list of checksums. A file that does not match is deleted.
 * @param {{ url: string, checksums: string, target: string, stallMs?: number }} what
 * @returns {Promise<void>}
 */
async function download({ url, checksums, target, stallMs = STALL_MS }) {
  const file = new URL(url).pathname.split("/").pop() ?? "";
  const expected = checksumOf(await fetchText(checksums), file);
  if (!expected)
    throw new ChecksumMismatch(
      `${checksums} has no checksum for ${file}; expected a line with a SHA-256 or SHA-512 sum and that name`,
    );

  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), stallMs);
  const hash = createHash(expected.algorithm);
  const watch = new Transform({
    transform(/** @type {Buffer} */ chunk, _encoding, done) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), stallMs);
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const response = await open(url, controller.signal);
    const body = Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (response.body));
    await pipeline(body, watch, fs.createWriteStream(target), { signal: controller.signal });
  } catch (cause) {
    fs.rmSync(target, { force: true });
    if (cause instanceof Unreachable) throw cause;
    throw new Unreachable(`${url} stopped sending for ${stallMs / 1000} seconds or broke off`, { cause });
  } finally {
    clearTimeout(timer);
  }
  const found = hash.digest("hex");
  if (found !== expected.hex) {
    fs.rmSync(target, { force: true });
    throw new ChecksumMismatch(
      `${url} has the ${expected.algorithm} sum ${found}; ${checksums} says ${expected.hex}. The file was thrown away`,
    );
  }
}

module.exports = { ChecksumMismatch, Unreachable, checksumOf, download, fetchText, reachable };
