import { shortHash } from "../resources/legalName";
import { NO_REQUEST, type RequestDigest, type RuntimeRecord } from "./record";

/** Digest of what a record says was asked for; when and by whom does not count. */
export function requestDigest(record: RuntimeRecord | undefined): RequestDigest {
  if (record === undefined) return NO_REQUEST;
  const { deployment, platform, provisioner } = record;
  return shortHash(canonical({ deployment, platform, provisioner }), 16);
}

/** JSON with sorted keys: the state keeps maps in an order of its own. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
