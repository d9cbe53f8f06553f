/** Names of objects generated from a ClusterServiceVersion: valid and deterministic. */

import { createHash } from "node:crypto";

const LONGEST = 63;
const HASH_LENGTH = 10;

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
/** Names of Services in old API servers. */
const SERVICE = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
/** Suffix of a name that was truncated or changed. */
const ALTERED = /-[0-9a-f]{10}$/;

export const SUBDOMAIN_RULE = "a DNS-1123 subdomain: at most 253 of a-z 0-9 - ., a letter or digit at both ends";
export const isSubdomain = (text: string): boolean => text.length <= 253 && SUBDOMAIN.test(text);

/** Like {@link isSubdomain} with at least three parts, as the API requires for names of webhooks. */
export const isQualified = (text: string): boolean => isSubdomain(text) && text.split(".").length >= 3;

export const NAMESPACE_RULE = "the name of a namespace: at most 63 of a-z 0-9 -, a letter or digit at both ends";

/**
 * Returns a readable name that is unique per `identity`. It is a DNS-1035 label, which every kind accepts, and ends in
 * a hash.
 */
export function uniqueName(legible: string, identity: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, HASH_LENGTH);
  const kept = legible
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, LONGEST - HASH_LENGTH - 1)
    .replace(/-+$/, "");
  return `${kept === "" ? "x" : kept}-${hash}`;
}

/** Returns `<name>-<suffix>` if it is valid, else a name with a hash. Different names stay different. */
export function suffixed(name: string, suffix: string): string {
  const plain = `${name}-${suffix}`;
  if (plain.length <= LONGEST && SERVICE.test(plain) && !ALTERED.test(plain)) return plain;
  return uniqueName(plain, [name, suffix]);
}
