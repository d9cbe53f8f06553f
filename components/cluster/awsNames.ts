import { shortHash } from "../../foundation/text/legalName";

const HASH_LENGTH = 8;

/** Maximum lengths of names in AWS. */
export const LIMITS = {
  role: 64,
  policy: 128,
  cluster: 100,
  nodeGroup: 63,
  launchTemplate: 128,
  queue: 80,
  eventRule: 64,
} as const;

/** Truncates a name to a maximum length. A truncated name ends with a hash of the whole. */
export function limited(name: string, longest: number): string {
  if (name.length <= longest) return name;
  return `${name.slice(0, longest - HASH_LENGTH - 1).replace(/[-_.]+$/, "")}-${shortHash(name, HASH_LENGTH)}`;
}
