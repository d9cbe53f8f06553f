import { coerce, lt, major } from "semver";
import { Failure, UsageError } from "../../../foundation/errors";
import type { Described } from "../entries";

/** The image of a master, before and after. */
export interface ImageChange {
  readonly from: string;
  readonly to: string;
  /** What there is to think about before. */
  readonly warnings: readonly string[];
}

/**
 * Puts another image into the description of a master, and of its jobs where they have one of their own. One that is
 * built for jobs alone can't be guessed, so it is asked for. `again`: after an upgrade that was cut off, the image of before
 * is one too.
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
    // Without an image of its own the master has that of jobs.
    ...((image !== undefined || own !== to) && { image: to }),
    ...(own !== undefined && { settings: { ...settings, kubernetes_image: own } }),
  });
  return { from, to, warnings: versionWarnings(from, to) };
}

/** Nobody upstream says that stores of a newer master fit an older one, or one of another major version. */
function versionWarnings(from: string, to: string): string[] {
  const [before, after] = [from, to].map((image) => coerce(/:v?(\d[^@:/]*)(?:@|$)/.exec(image)?.[1]));
  if (!before || !after) return [`the versions of ${from} and ${to} can't be compared; read the release notes`];
  if (lt(after, before)) {
    return [`${after.version} is older than ${before.version}: an older master may not read what a newer one stored`];
  }
  if (major(after) === major(before)) return [];
  return [`${after.version} is another major version than ${before.version}; read its release notes first`];
}
