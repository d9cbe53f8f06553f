import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import * as z from "zod";
import { sourceSchema } from "../../../components/bundleSources";
import { matching, strict, listOf } from "../../../foundation/schema/fields";
import { renderPath, sortFaults, type Path } from "../../../foundation/schema/faults";
import { valueAt } from "../../../foundation/schema/describe";
import { faultsOf } from "../../../foundation/schema/issues";
import { concealed, mapPaths, pathsWhere } from "../../../foundation/schema/secretValues";
import type { SourceCluster } from "../../../bundles/sources/inCluster";
import type { Source } from "../../../foundation/bundleSources";
import { Failure, messageOf } from "../../../foundation/errors";
import { parseFile } from "../../yaml";

const text = (expected: string) => matching(/\S/, expected);

/** A reference to a secret or long value. */
const elsewhere = () =>
  z.union([strict("a variable", { env: text("a name") }), strict("a file", { path: text("a path") })], {
    error: "{ env: VARIABLE } or { path: FILE }",
  });
const givenTexts = { secret: concealed(elsewhere()), long: elsewhere() };

/** A file with a list of sources. */
const sourcesSchema = strict("an object with sources", {
  sources: listOf(sourceSchema(givenTexts), "sources").min(1, { error: "at least one source" }),
});

/**
 * Reads a file of sources, and throws one {@link Failure} with every fault. Relative paths are relative to the file.
 */
export async function readSources(file: string, env: NodeJS.ProcessEnv = process.env): Promise<Source[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`${file} can't be read: ${messageOf(cause)}`);
  });
  const root = parseFile(text, file);
  const parsed = sourcesSchema.safeParse(root);
  if (!parsed.success) {
    const given = (root ?? {}) as Record<string, unknown>;
    const place = { root: given, schema: sourcesSchema, secretKeys: new Set<string>() };
    const faults = sortFaults(faultsOf(parsed.error.issues, [], place), root);
    fail(
      file,
      faults.map(({ path: at, message }) => `${renderPath(at) || "the file"}: ${message}`),
    );
  }
  const troubles: string[] = [];
  const base = path.dirname(path.resolve(file));
  const reader = { base, env, troubles };
  const { sources } = await withContent(parsed.data, reader);
  if (troubles.length > 0) fail(file, troubles);
  return Promise.all(sources.map((source) => complete(source, base, env)));
}

/** Adds what follows from the location of the file and from the user's settings. */
async function complete(source: Source, base: string, env: NodeJS.ProcessEnv): Promise<Source> {
  if ((source.type === "catalog" || source.type === "local") && source.path !== undefined)
    return { ...source, path: path.resolve(base, source.path) };
  if (source.type === "configMaps") return { ...source, ...(await ownCluster(source, env)) };
  if (!("pullSecret" in source) || source.pullSecret === undefined) return source;
  return { ...source, pullSecret: { ...source.pullSecret, ...(await ownCluster(source.pullSecret, env)) } };
}

/** Uses the user's kubeconfig if the source has none. */
async function ownCluster(place: SourceCluster, env: NodeJS.ProcessEnv): Promise<{ kubeconfig: string }> {
  if (place.kubeconfig !== undefined) return { kubeconfig: place.kubeconfig };
  const [first] = (env["KUBECONFIG"] ?? "").split(path.delimiter).filter((each) => each !== "");
  const file = first ?? path.join(env["HOME"] ?? homedir(), ".kube", "config");
  const kubeconfig = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`${file} can't be read: ${messageOf(cause)}; expected a kubeconfig, there or in the source`);
  });
  return { kubeconfig };
}

function fail(file: string, troubles: readonly string[]): never {
  throw new Failure([`${file} cannot be used:`, ...troubles.map((trouble) => `  ${trouble}`)].join("\n"));
}

interface Reader {
  readonly base: string;
  readonly env: NodeJS.ProcessEnv;
  readonly troubles: string[];
}

/** Replaces each `{ env }` and `{ path }` by its content. */
async function withContent<T extends object>(file: T, reader: Reader): Promise<T> {
  const isGiven = (one: unknown): boolean => Object.values(givenTexts).some((each) => each === one);
  const contents = new Map<Path, string | undefined>();
  for (const path of pathsWhere(sourcesSchema, file, ({ schema }) => isGiven(schema))) {
    contents.set(path, await referred(valueAt(file, path) as Reference, path, reader));
  }
  return mapPaths([...contents.keys()], file, (_, path) => contents.get(path));
}

type Reference = { readonly env: string } | { readonly path: string };

async function referred(reference: Reference, at: Path, { base, env, troubles }: Reader): Promise<string | undefined> {
  if ("env" in reference) {
    const found = env[reference.env];
    if (found === undefined)
      troubles.push(`${renderPath(at)}: found no variable ${reference.env}; expected it to be set`);
    return found;
  }
  return readFile(path.resolve(base, reference.path), "utf8").catch((cause: unknown) => {
    troubles.push(`${renderPath(at)}: ${reference.path} can't be read: ${messageOf(cause)}`);
    return undefined;
  });
}
