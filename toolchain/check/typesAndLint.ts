import { existsSync, globSync, readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../commands/run";
import { digestsOf, hash } from "./digests";
import { importGraph, readSources } from "./importGraph";

/** With the caches of the other tools: `rm -r node_modules/.cache` checks everything again. */
const fileOf = (root: string): string => join(root, "node_modules", ".cache", "stackyard", "checked.json");

/** Digests of the files that passed last time. None if nothing was checked yet, or if the file is damaged. */
function readPassed(root: string): ReadonlySet<string> {
  try {
    const found: unknown = JSON.parse(readFileSync(fileOf(root), "utf8"));
    return new Set(Array.isArray(found) ? found.filter((each) => typeof each === "string") : []);
  } catch {
    return new Set();
  }
}

function writePassed(root: string, digests: Iterable<string>): void {
  mkdirSync(dirname(fileOf(root)), { recursive: true });
  writeFileSync(fileOf(root), JSON.stringify([...digests]));
}

/** What the checks of all files depend on: the tools, the types of packages, and the options. */
const COMMON = [
  "package-lock.json",
  "node_modules/.package-lock.json",
  ".oxlintrc.jsonc",
  "**/tsconfig.json",
  "toolchain/lint/*",
  "package.json",
];

/** An import of a JSON file, whose type is its content. */
const JSON_MODULE = /from\s+["'](\.{1,2}\/[^"']*\.json)["']/g;

/** Declarations that other files use without an import. */
const AMBIENT = /^\s*declare (?:global|module)\b/m;

/**
 * Checks types and lint rules of the files that changed since they passed last, and of the files that import them, directly or
 * not: a rule that asks for types depends on what a file imports. Returns oxlint's exit code.
 */
export async function typesAndLint(root: string): Promise<number> {
  const texts = readSources(root);
  const files = [...texts.keys()];
  const contents = new Map([...texts].map(([file, text]) => [file, withJson(root, file, text)]));
  const digests = digestsOf(importGraph(texts), contents, commonOf(root, texts));
  const passed = readPassed(root);
  const changed = files.filter((file) => !passed.has(digests.get(file) ?? ""));
  process.stderr.write(`${changed.length} of ${files.length} files changed, or import a file that changed\n`);
  if (changed.length === 0) return 0;
  const code = await run(
    process.execPath,
    [join(root, "node_modules", "oxlint", "bin", "oxlint"), "--type-check", ...changed],
    { cwd: root, env: { GOGC: "400", ...process.env, PATH: `${binaries(root)}${delimiter}${process.env.PATH ?? ""}` } },
  );
  if (code === 0) writePassed(root, digests.values());
  return code;
}

/** The text of a file with the JSON files that it imports. */
function withJson(root: string, file: string, text: string): string {
  const modules = [...text.matchAll(JSON_MODULE)].map(([, path = ""]) => join(root, dirname(file), path));
  return [text, ...modules.map((each) => (existsSync(each) ? readFileSync(each, "utf8") : ""))].join("\n");
}

/** oxlint looks for tsgolint, which reads the types, on the PATH. */
const binaries = (root: string): string => join(root, "node_modules", ".bin");

function commonOf(root: string, texts: ReadonlyMap<string, string>): string {
  const files = globSync(COMMON, { cwd: root, exclude: ["**/node_modules/*/**"] }).sort();
  const ambient = [...texts].filter(([, text]) => AMBIENT.test(text)).flat();
  return hash([...files.flatMap((file) => [file, readFileSync(join(root, file), "utf8")]), ...ambient]);
}
