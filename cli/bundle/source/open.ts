import { readFile } from "node:fs/promises";
import { BundleCache } from "../../../bundles/cache";
import { describeSource, type Bundle, openBundle, type Reader } from "../../../bundles/bundle";
import { subjectDigest } from "../../../bundles/approvals/subject";
import { FormatError, Refused, Unavailable } from "../../../bundles/errors";
import { clusterFacts } from "../../../bundles/format/facts";
import { emptyText, type BundleObject, type ClusterFacts, type BundleFormat } from "../../../bundles/format/format";
import { settleNumbers } from "../../../bundles/format/numbers";
import { parseYaml, YamlFault } from "../../../bundles/format/yaml";
import { WITH_VALUES } from "../../../foundation/bundleFormats";
import { noValues, DEFAULT_FORMAT, FORMATS } from "../../../bundles/format/formats";
import { checkRules } from "../../../bundles/rules/rule";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { mergeValues } from "../../../foundation/json/merge";
import type { Client } from "../../../kubernetes/client/client";
import type { SourceOptions, TargetOptions } from "../options";
import type { Source } from "../../../foundation/bundleSources";
import type { Context } from "../../context";
import { Failure, UsageError, messageOf } from "../../../foundation/errors";
import { Interrupted, registerWork } from "../../../engine/process/interrupt";
import { sourceOf } from "./sourceArgument";
import { trustOf } from "./trust";
import { readSources } from "./sourcesFile";

/** Merges values from YAML or JSON files; later files win. Messages never quote them, because they may be secret. */
export async function readValues(files: readonly string[] = []): Promise<Json> {
  return mergeValues(...(await Promise.all(files.map(readOne))));
}

async function readOne(file: string): Promise<Json> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`${file} can't be read: ${messageOf(cause)}`);
  });
  const documents = parsed(text, file);
  const [values = {}] = documents;
  if (documents.length > 1) throw new Failure(`${file}: found ${documents.length} documents; expected one with values`);
  if (values === null) return {};
  if (!isObject(values)) throw new Failure(`${file}: found no object; expected values by their names`);
  // The detailed message would quote it.
  if (settleNumbers(values) !== undefined)
    throw new Failure(`${file}: found a number that is too large to be kept exactly; put it in quotes if it is a text`);
  return values;
}

function parsed(text: string, file: string): unknown[] {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const place = error.line === undefined ? file : `${file}:${error.line + 1}`;
    throw new Failure(`${place}: found what is no YAML; expected values by their names`);
  }
}

/** Fetches a bundle in the named format, or else in the detected one. */
export async function openAs(sources: readonly Source[], name: string | undefined, reader: Reader): Promise<Bundle> {
  if (name !== undefined) return openBundle(sources, reader, formatNamed(name));
  const plain = await openBundle(sources, reader, formatNamed(DEFAULT_FORMAT));
  for (const format of FORMATS.values()) {
    const { looksSo } = format;
    if (looksSo === undefined || (plain.tree.files.size > 0 && !looksSo.beside(plain.tree.others))) continue;
    // A folder with nothing but a chart is one, so that what is wrong with it must be reported.
    const isOnly = plain.tree.files.size === 0 && looksSo.beside(plain.tree.others);
    const found = await openBundle(sources, reader, format).catch(isOnly ? undefined : ignoreRefused);
    if (found && looksSo.inside(found.tree)) return found;
  }
  return plain;
}

function formatNamed(name: string): BundleFormat {
  const format = FORMATS.get(name);
  if (format) return format;
  throw new UsageError(`--format: found ${JSON.stringify(name)}; expected one of ${[...FORMATS.keys()].join(", ")}`);
}

/** Too large to read in this format, which may be the wrong one. */
function ignoreRefused(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error;
}

export interface Opened {
  readonly bundle: Bundle;
  readonly objects: readonly BundleObject[];
  /** Digest that an approval refers to. */
  readonly approval: string;
}

/** Target of a bundle. */
interface BundleTarget {
  /** Name of the release. */
  readonly name: string;
  readonly namespace: string;
  readonly client?: Client | undefined;
}

export const targetOf = ({ name = "bundle", namespace = "default" }: TargetOptions): BundleTarget => ({
  name,
  namespace,
});

/** Reads a bundle for a command. Faults of the bundle become a {@link Failure}. */
export async function open(
  context: Context,
  words: readonly string[],
  options: SourceOptions,
  target: BundleTarget,
): Promise<Opened> {
  const values = await readValues(options.values);
  const trust = await trustOf(options);
  const described = options.file === undefined ? [] : await readSources(options.file);
  const sources = [...words.map((word) => sourceOf(word, options, trust)), ...described];
  if (sources.length === 0) throw new UsageError("found no source; expected a folder, an archive, a URL, or --file");
  try {
    return await interruptible(async (signal) => {
      const cache = new BundleCache((message) => context.live.line(message));
      const bundle = await openAs(sources, options.format, { base: process.cwd(), cache, signal });
      const { format, tree } = bundle;
      if (Object.keys(values).length > 0 && !WITH_VALUES.includes(format.name))
        throw new UsageError(`--values: ${noValues(format.name)}`);
      const { name, namespace, client } = target;
      const assumed = assumedBy(options, client);
      const cluster = client && (() => clusterFacts(client));
      const objects = await format.read(tree, { name, namespace, values, cluster, assumed, signal });
      if (objects.length === 0) context.live.line(`warning: ${emptyText(format)}`);
      await checkRules(objects, format.name);
      return { bundle, objects, approval: subjectDigest(bundle.digest, values, target) };
    });
  } catch (error) {
    // The messages of these errors already name the source.
    if (error instanceof Refused || error instanceof Unavailable) throw new Failure(error.message);
    if (error instanceof FormatError) throw new Failure(`${sourcesTitle(sources)}: ${error.message}`);
    throw error;
  }
}

function assumedBy({ kubeVersion, apiVersions }: SourceOptions, client: Client | undefined): Partial<ClusterFacts> {
  if (client && (kubeVersion !== undefined || apiVersions !== undefined))
    throw new UsageError("found --kube-version or --api-versions and a cluster; expected one of them");
  return { ...(kubeVersion !== undefined && { kubeVersion }), ...(apiVersions && { apiVersions }) };
}

/** On Ctrl-C the work ends cleanly, because temporary files may contain credentials. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const done = registerWork({ stop: () => ended.abort() });
  try {
    return await work(ended.signal);
  } catch (error) {
    throw ended.signal.aborted ? new Interrupted() : error;
  } finally {
    done();
  }
}

/** Joint title of the sources. */
export const sourcesTitle = (sources: readonly Source[]): string => sources.map(describeSource).join(", ");
