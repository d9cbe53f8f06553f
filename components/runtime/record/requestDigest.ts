import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { shortHash } from "../../../foundation/text/legalName";
import type { RuntimeRecord } from "./record";

/** Digest for a stack without a request. */
const NO_REQUEST = "none";

/**
 * Digest of the request in a record. Detects an update that was prepared for an older request. Ignores the time and
 * command of the change.
 */
export function requestDigest(record: RuntimeRecord | undefined): string {
  if (record === undefined) return NO_REQUEST;
  const { deployment, platform, provisioner } = record;
  return shortHash(canonicalJson({ deployment, platform, provisioner }), 16);
}
