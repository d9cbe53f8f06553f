import { labelWithHash } from "../../../../../foundation/text/legalName";

/** Names of Shoots. Pure. */

/** What Gardener allows for the names of project and Shoot together: host names are made of both. */
export const LONGEST_TOGETHER = 21;

/** A legal name that may be kept as it is; nothing that ends like one of ours with a hash. */
const LEGAL = /^(?!.*--)[a-z]([a-z0-9-]*[a-z0-9])?$/;
const HASH_LENGTH = 6;
const HASHED = /-[0-9a-f]{6}$/;

/** The name of the Shoot of a deployment that names none: its id where that is legal and fits, else one with a hash. */
export function shootName(project: string, id: string): string {
  const longest = LONGEST_TOGETHER - project.length;
  if (id.length <= longest && LEGAL.test(id) && !HASHED.test(id)) return id;
  const letters = /^[a-z]/i.test(id) ? id : `r${id}`;
  return labelWithHash({ text: letters, whole: id, hashLength: HASH_LENGTH, longest, empty: "r" });
}
