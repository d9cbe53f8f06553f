import type { SourceSettings } from "../settings";
import { isObject } from "../../../foundation/json/isObject";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";
import { isGivenElsewhere, isSecretField } from "../../../foundation/schema/secretFields";

/** Separates the secret fields of a source from the others, and reads the files that it references. */

interface Parts {
  readonly source: SourceSettings;
  readonly credentials: SourceSettings;
}

export function decodeSource(source: object, at: Path, resolver: Resolver): Parts {
  const plain: Record<string, unknown> = {};
  const secret: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    const inner = [...at, key];
    if (value === undefined) continue;
    if (isGivenElsewhere(key)) {
      const text = given(key, value, inner, resolver);
      if (text !== undefined) (isSecretField(key) ? secret : plain)[key] = text;
    } else if (isObject(value)) {
      const parts = decodeSource(value, inner, resolver);
      if (Object.keys(parts.source).length > 0) plain[key] = parts.source;
      if (Object.keys(parts.credentials).length > 0) secret[key] = parts.credentials;
    } else plain[key] = value;
  }
  return { source: plain, credentials: secret };
}

/** A value given directly, or by the name of a file. */
function given(key: string, value: unknown, at: Path, { files, place, faults }: Resolver): string | undefined {
  if (typeof value === "string") {
    const [root = ""] = at;
    if (isSecretField(key) && !place.secretKeys.has(String(root))) {
      const how = "a secret (pulumi config set --secret --path …), or { path: FILE }";
      faults.push(mismatch(at, "a plain text", how));
    }
    return value;
  }
  const { path } = value as { path: string };
  const read = tryRead(files, path);
  if ("bytes" in read) return read.bytes.toString("utf8");
  faults.push(mismatch([...at, "path"], `${foundAt(place, [...at, "path"])}, ${read.trouble}`, "a file"));
  return undefined;
}
