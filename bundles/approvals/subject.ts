/** What is approved: content, and the values that its format makes objects of. */

import { createHash } from "node:crypto";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { slowHash } from "../values/slowHash";
import { hasValues } from "../values/merge";
import type { Instance } from "./approval";
import type { Json } from "../../foundation/json/isObject";

/** The digest of the content itself without values. Of values, which may be secret, nothing can be found out by it. */
export function subjectDigest(digest: string, values: Json, { namespace, name }: Instance): string {
  if (!hasValues(values)) return digest;
  const hash = createHash("sha256").update(`${digest}\n${slowHash(canonicalJson(values), `${namespace}/${name}`)}`);
  return `sha256:${hash.digest("hex")}`;
}
