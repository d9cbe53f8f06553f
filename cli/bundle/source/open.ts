import { BundleCache } from "../../../bundles/cache";
import { describeSource, type Bundle } from "../../../bundles/bundle";
import { subjectDigest } from "../../../bundles/approvals/subject";
import { FormatError, Refused, Unavailable } from "../../../bundles/errors";
import { clusterFacts } from "../../../bundles/format/facts";
import { emptyText, type BundleObject, type ClusterFacts } from "../../../bundles/format/format";
import { WITH_VALUES } from "../../../foundation/bundleFormats";
import { noValues } from "../../../bundles/format/formats";
import { checkRules } from "../../../bundles/rules/rule";
import type { Client } from "../../../kubernetes/client/client";
import type { SourceOptions, TargetOptions } from "../options";
import type { Source } from "../../../foundation/bundleSources";
import type { Context } from "../../context";
import { Failure, UsageError } from "../../../foundation/errors";
import { Interrupted, registerWork } from "../../../engine/process/interrupt";
import { openAs } from "../cluster/openAs";
import { sourceOf } from "./sourceArgument";
import { trustOf } from "./trust";
import { readSources } from "./sourcesFile";
import { readValues } from "./valuesFile";

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
