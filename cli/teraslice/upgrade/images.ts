import { coerce, lt, major } from "semver";
import { Failure, UsageError } from "../../../foundation/errors";
import type { Described } from "../entries";

/** Image of a master before and after an upgrade. */
interface ImageChange {
  readonly from: string;
  readonly to: string;
  /** Warnings to consider before the upgrade. */
  readonly warnings: readonly string[];
}

/**
 * Sets the image of a master in its description, and the image of its jobs if they have their own. A separate jobs
 * image can't be derived, so the option is required. `again`: continue an interrupted upgrade, where the image may
 * already be set.
 */
export function changeImages(master: Described, to: string, jobsTo: string | undefined, again = false): ImageChange {
  const { entry } = master;
  const { image, settings = {} } = entry;
  const ofJobs = settings.kubernetes_image;
  const from = image ?? ofJobs;
  if (from === undefined) throw new Failure(`${master.file.file} names no image of the master; name the one that runs`);
  if (jobsTo === undefined && ofJobs !== undefined && ofJobs !== from) {
    throw new UsageError(`jobs have an image of their own, ${ofJobs}; expected --jobs-image with the one for ${to}`);
  }
  if (!again && from === to && (jobsTo === undefined || jobsTo === ofJobs))
    throw new Failure(`the master has ${to} already`);
  const own = jobsTo ?? (ofJobs === undefined ? undefined : to);
  master.set({
    ...entry,
    // A master without its own image uses the image of the jobs.
    ...((image !== undefined || own !== to) && { image: to }),
    ...(own !== undefined && { settings: { ...settings, kubernetes_image: own } }),
  });
  return { from, to, warnings: versionWarnings(from, to) };
}

/**
 * Upstream does not guarantee that an older master can read the stores of a newer one, or that major versions are
 * compatible.
 */
function versionWarnings(from: string, to: string): string[] {
  const [before, after] = [from, to].map((image) => coerce(/:v?(\d[^@:/]*)(?:@|$)/.exec(image)?.[1]));
  if (!before || !after) return [`the versions of ${from} and ${to} can't be compared; read the release notes`];
  if (lt(after, before)) {
    return [`${after.version} is older than ${before.version}: an older master may not read what a newer one stored`];
  }
  if (major(after) === major(before)) return [];
  return [`${after.version} is another major version than ${before.version}; read its release notes first`];
}
