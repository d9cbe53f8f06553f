import { createHash } from "node:crypto";

/** Key of a job's `labels` by which its resource finds it again at the master. */
export const OWNER_LABEL = "stackyard";

const LONGEST = 63;
const HASH_LENGTH = 10;

/** Whose job it is: a legal label that is another one for another stack or another key. */
export function jobOwner(stack: string, key: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([stack, key]))
    .digest("hex")
    .slice(0, HASH_LENGTH);
  const legible = `${stack}-${key}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST - HASH_LENGTH - 1)
    .replace(/^-+|-+$/g, "");
  return legible === "" ? `job-${hash}` : `${legible}-${hash}`;
}
