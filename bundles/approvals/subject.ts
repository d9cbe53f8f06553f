/** The subject of an approval: the content, and the values from which its format renders objects. */

import { createHash } from "node:crypto";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { slowHash } from "../values/slowHash";
import type { Instance } from "./approval";
import type { Json } from "../../foundation/json/isObject";

/**
 * Returns the digest to approve: without values, the digest of the content. The digest reveals nothing about the
 * values, which may be secret.
 */
export function subjectDigest(digest: string, values: Json, { namespace, name }: Instance): string {
  if (Object.keys(values).length === 0) return digest;
  const hash = createHash("sha256").update(`${digest}\n${slowHash(canonicalJson(values), `${namespace}/${name}`)}`);
  return `sha256:${hash.digest("hex")}`;
}
