import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { parse } from "yaml";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { fileAt } from "../../project/git";

/** Fields of packages that only development uses. */
const DEVELOPMENT: ReadonlySet<string> = new Set(["scripts", "devDependencies"]);

const deployed = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !DEVELOPMENT.has(key)));

function deployedPackages(lock: Json): Json {
  const packages = Object.entries(isObject(lock["packages"]) ? lock["packages"] : {});
  const kept = packages.flatMap(([name, each]) =>
    isObject(each) && each["dev"] !== true ? [[name, deployed(each)] as const] : [],
  );
  return { ...lock, packages: Object.fromEntries(kept) };
}

async function compiled(file: string, text: string): Promise<string> {
  // Loaded on demand, because most commands need no compiler.
  const { transform } = await import("esbuild");
  const loader = file.endsWith(".ts") ? "ts" : "js";
  return (await transform(text, { loader, minifyWhitespace: true, legalComments: "none", logLevel: "silent" })).code;
}

/** What a stack has of a file: neither comments, types and layout, nor what only development uses. */
async function meaningOf(file: string, text: string): Promise<string> {
  if (file === "package.json") return canonicalJson(deployed(JSON.parse(text) as Json));
  if (file === "package-lock.json") return canonicalJson(deployedPackages(JSON.parse(text) as Json));
  // Bundles and charts have digests of their files, comments included.
  if (/^(runtime\/)?Pulumi\.[^/]+\.yaml$|^[^/]+\.lock\.yaml$/.test(file)) return canonicalJson(parse(text));
  if (/\.[jt]s$/.test(file)) return compiled(file, text);
  return text;
}

/** Whether a file differs from the one of a commit in what stacks have of it. */
export async function isMeant(root: string, base: string, file: string): Promise<boolean> {
  const [before, after] = await Promise.all([
    fileAt(root, base, file),
    readFile(path.join(root, file), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    }),
  ]);
  if (before === undefined || after === undefined) return true;
  try {
    const [was, is] = await Promise.all([meaningOf(file, before), meaningOf(file, after)]);
    return was !== is;
  } catch {
    return true; // What can't be parsed is no harmless change.
  }
}
