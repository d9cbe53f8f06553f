import type { SourceSettings } from "../settings";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";
import { divideSecrets, mapPaths, pathsWhere } from "../../../foundation/schema/secretValues";
import { givenTexts, source as schema } from "./schema";

/** Separates the secret fields of a source from the others, and reads the files that it references. */
export function decodeSource(
  source: object,
  at: Path,
  resolver: Resolver,
): { readonly source: SourceSettings; readonly credentials: SourceSettings } {
  const given = pathsWhere(schema, source, ({ schema: one }) => Object.values(givenTexts).some((each) => each === one));
  const read = mapPaths(given, source, (value, path) => contentOf(value as Given, [...at, ...path], resolver));
  const { open, secret } = divideSecrets(schema, read);
  return { source: open, credentials: secret };
}

type Given = string | { readonly path: string };

function contentOf(value: Given, at: Path, { files, place, faults }: Resolver): string | undefined {
  if (typeof value === "string") return value;
  const read = tryRead(files, value.path);
  if ("bytes" in read) return read.bytes.toString("utf8");
  faults.push(mismatch([...at, "path"], `${foundAt(place, [...at, "path"])}, ${read.trouble}`, "a file"));
  return undefined;
}
