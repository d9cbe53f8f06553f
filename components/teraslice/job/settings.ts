import { jobPodOverride } from "../podConfig/secretConfig";
import type { TerasliceAsset } from "../../resources/jobs/terasliceJob";
import type { TerasliceSettings } from "../settings";
import { mergeOverride, type JsonMap } from "./merge";

/** A job as written by the user: plain JSON, named as in Teraslice's documentation. */
export type TerasliceJob = JsonMap;

/** A checked job of a platform. */
export interface TerasliceJobSettings {
  /** Name in the config, which names the resource. The job's own `name` may differ. */
  readonly key: string;
  /** The job, including the number of workers from the config. */
  readonly job: TerasliceJob;
  /** `running`: registered and started. `registered`: registered, and stopped if running. */
  readonly state: string;
  /** Zip files of assets that it needs, relative to the project folder, with their digests. */
  readonly assets: readonly TerasliceAsset[];
  /** Where it is defined, for messages: the path of a file, or the config. */
  readonly source: string;
  /** Whether it contains a secret of the stack config. */
  readonly secret: boolean;
  /** Warnings for every preview, one per line with its path. */
  readonly warnings: readonly string[];
}

/** Decoded config of a Teraslice cluster with its jobs. */
export interface TerasliceConfig extends TerasliceSettings {
  /** In the order of the config. */
  readonly jobs: readonly TerasliceJobSettings[];
}

/** Key in which command-line tools store their own data. Never sent to a master. */
export const TOOLS_KEY = "__metadata";

/**
 * The job as sent to a master, with what all pods of jobs need (see {@link jobPodOverride}) in its `pod_spec_override`.
 * The job's own override takes precedence; lists merge by position, as in the master. Its init containers are appended
 * by name, since ours come first.
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
