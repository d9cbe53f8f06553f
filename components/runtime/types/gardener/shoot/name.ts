import { labelWithHash } from "../../../../../foundation/text/legalName";

/** Names of Shoots. Pure. */

/** Gardener's limit for the names of project and Shoot together, because host names contain both. */
export const LONGEST_TOGETHER = 21;

/** A valid name that is kept unchanged. Excludes names that end like a generated one, with a hash. */
const LEGAL = /^(?!.*--)[a-z]([a-z0-9-]*[a-z0-9])?$/;
const HASH_LENGTH = 6;
const HASHED = /-[0-9a-f]{6}$/;

/** The default name of a deployment's Shoot: its id if that is valid and fits, or else a name with a hash. */
export function shootName(project: string, id: string): string {
  const longest = LONGEST_TOGETHER - project.length;
  if (id.length <= longest && LEGAL.test(id) && !HASHED.test(id)) return id;
  const letters = /^[a-z]/i.test(id) ? id : `r${id}`;
  return labelWithHash({ text: letters, whole: id, hashLength: HASH_LENGTH, longest, empty: "r" });
}
