import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { parseDocument } from "yaml";
import { renderPath, inOrder, type Path } from "../../components/config/faults";
import { faultsOf } from "../../components/config/issues";
import type { Source } from "../../provider/bundles/sources/source";
import { Failure, messageOf } from "../errors";
import { sourcesSchema } from "./sourcesSchema";

/** Reads a file of sources; every fault in one {@link Failure}. Paths in it are relative to it. */
export async function readSources(file: string, env: NodeJS.ProcessEnv = process.env): Promise<Source[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`${file} can't be read: ${messageOf(cause)}`);
  });
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new Failure(`${file} is no YAML: ${error.message.split("\n", 1)[0] ?? ""}`);
  const root: unknown = document.toJS();
  const parsed = sourcesSchema.safeParse(root);
  if (!parsed.success) {
    const place = { root: (root ?? {}) as Record<string, unknown>, secretKeys: new Set<string>() };
    const faults = inOrder(faultsOf(parsed.error.issues, [], place), root);
    fail(
      file,
      faults.map(({ path: at, message }) => `${renderPath(at) || "the file"}: ${message}`),
    );
  }
  const troubles: string[] = [];
  const base = path.dirname(path.resolve(file));
  const sources = (await withSecrets(parsed.data.sources, ["sources"], base, env, troubles)) as Source[];
  if (troubles.length > 0) fail(file, troubles);
  return sources.map((source) =>
    source.type === "local" ? { ...source, path: path.resolve(base, source.path) } : source,
  );
}

function fail(file: string, troubles: readonly string[]): never {
  throw new Failure([`${file} cannot be used:`, ...troubles.map((trouble) => `  ${trouble}`)].join("\n"));
}

/** The same value with each `{ env }` and `{ path }` replaced by what it refers to. */
async function withSecrets(
  value: unknown,
  at: Path,
  base: string,
  env: NodeJS.ProcessEnv,
  troubles: string[],
): Promise<unknown> {
  if (Array.isArray(value))
    return Promise.all(value.map((each, i) => withSecrets(each, [...at, i], base, env, troubles)));
  if (typeof value !== "object" || value === null) return value;
  const { env: name, path: file, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length === 0 && typeof name === "string") {
    const found = env[name];
    if (found === undefined) troubles.push(`${renderPath(at)}: found no variable ${name}; expected it to be set`);
    return found;
  }
  if (Object.keys(others).length === 0 && typeof file === "string") {
    return readFile(path.resolve(base, file), "utf8").catch((cause: unknown) => {
      troubles.push(`${renderPath(at)}: ${file} can't be read: ${messageOf(cause)}`);
    });
  }
  const entries = Object.entries(value).map(async ([key, each]) => [
    key,
    await withSecrets(each, [...at, key], base, env, troubles),
  ]);
  return Object.fromEntries((await Promise.all(entries)) as [string, unknown][]);
}
