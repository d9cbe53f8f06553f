import { parseEksImports, type ImportedResource } from "../../cluster/onEks/eksImports";
import { NO_LOCK, parseEksLock, type EksLock } from "../../cluster/onEks/eksLock";
import { mismatch } from "../../../foundation/schema/faults";
import { tryRead } from "../../../foundation/schema/files";
import { foundAt } from "../../../foundation/schema/issues";
import type { Resolver } from "../../../foundation/schema/resolver";
import type { EksInput } from "./schema";

/**
 * Reads the recorded versions. A missing file counts as empty, because `stackyard eks lock` reads the config before it
 * writes the file.
 */
export function readEksLock({ files, place, faults }: Resolver, { lockFile }: EksInput): EksLock {
  const read = tryRead(files, lockFile);
  const found = "bytes" in read ? parseEksLock(read.bytes.toString("utf8")) : read;
  if ("lock" in found) return found.lock;
  if (found.trouble === "no such file") return NO_LOCK;
  const path = ["cluster", "lockFile"];
  const what = foundAt(place, path) === "nothing" ? JSON.stringify(lockFile) : foundAt(place, path);
  faults.push(mismatch(path, `${what}, ${found.trouble}`, "a lock file; stackyard eks lock writes one"));
  return NO_LOCK;
}

/** Reads the resources that existed before the stack; none without `importFile`. */
export function readEksImports({ files, faults }: Resolver, { importFile }: EksInput): readonly ImportedResource[] {
  if (importFile === undefined) return [];
  const read = tryRead(files, importFile);
  const found = "bytes" in read ? parseEksImports(read.bytes.toString("utf8")) : read;
  if ("lock" in found) return found.lock;
  const what = `${JSON.stringify(importFile)}, ${found.trouble}`;
  faults.push(mismatch(["cluster", "importFile"], what, "the file that stackyard eks import wrote"));
  return [];
}
