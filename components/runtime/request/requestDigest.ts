import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { shortHash } from "../../../foundation/text/legalName";
import type { RuntimeRecord } from "./record";

/** Stands for the request of a stack that has none. */
const NO_REQUEST = "none";

/**
 * Digest of what a record says was asked for, by which an update that was prepared on an older request is recognised; when
 * and by which command it became so does not count.
 */
export function requestDigest(record: RuntimeRecord | undefined): string {
  if (record === undefined) return NO_REQUEST;
  const { deployment, platform, provisioner } = record;
  return shortHash(canonicalJson({ deployment, platform, provisioner }), 16);
}
