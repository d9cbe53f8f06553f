import { jobPodOverride } from "../cluster/secretConfig";
import type { TerasliceAsset } from "../../resources/terasliceJob";
import type { TerasliceSettings } from "../settings";
import { mergeOverride, type JsonMap } from "./merge";

/** A job as its author wrote it: plain JSON, by the names that Teraslice documents. */
export type TerasliceJob = JsonMap;

/** A job of a platform, checked. */
export interface TerasliceJobSettings {
  /** Name in the config, which names the resource; the job's own `name` may be another. */
  readonly key: string;
  /** The job, with the number of workers of the config where it has one. */
  readonly job: TerasliceJob;
  /** `running`: registered and started. `registered`: registered, and stopped if it runs. */
  readonly state: string;
  /** Zip files of assets that it needs, relative to the project folder, with the digests of their contents. */
  readonly assets: readonly TerasliceAsset[];
  /** Where it is written, for messages: a file's path, or the config. */
  readonly source: string;
  /** Whether something in it is a secret of the stack's config. */
  readonly secret: boolean;
  /** What is probably not meant, each a line with its path; for every preview. */
  readonly warnings: readonly string[];
}

/** Teraslice as the config of a platform has it. */
export interface TerasliceConfig extends TerasliceSettings {
  /** In the order of the config. */
  readonly jobs: readonly TerasliceJobSettings[];
}

/** Where command line tools for jobs store what they registered; never sent to a master. */
export const TOOLS_KEY = "__metadata";

/**
 * What a master is sent: the job, with what all pods of jobs need (see {@link jobPodOverride}) in its
 * `pod_spec_override`. What the job itself says there wins, by position in lists as in the master; its init containers
 * go by their names, since they come after ours.
 */
export function submitted(job: TerasliceJob, settings: TerasliceSettings): TerasliceJob {
  const body = Object.fromEntries(Object.entries(job).filter(([key]) => key !== TOOLS_KEY));
  const needed = jobPodOverride(settings);
  if (needed === undefined) return body;
  const { initContainers, ...own } = (body["pod_spec_override"] ?? {}) as JsonMap;
  const containers = byName(needed["initContainers"], initContainers);
  return {
    ...body,
    pod_spec_override: {
      ...(mergeOverride(needed, own) as JsonMap),
      ...(containers.length > 0 && { initContainers: containers }),
    },
  };
}

function byName(ours: unknown, theirs: unknown): readonly unknown[] {
  const merged = new Map<unknown, unknown>();
  for (const [index, each] of [...listOf(ours), ...listOf(theirs)].entries()) {
    const name = (each as JsonMap | null)?.["name"] ?? index;
    merged.set(name, mergeOverride(merged.get(name), each));
  }
  return [...merged.values()];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
