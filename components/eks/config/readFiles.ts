/** Reads the files that the config of a cluster names. */

import { mismatch, type Path } from "../../../foundation/schema/faults";
import { tryParse, tryRead, utf8Text } from "../../../foundation/schema/files";
import type { Resolver } from "../../../foundation/schema/resolver";
import { isNodeGroup } from "../../cluster/nodePool/pools";
import { isOwnDocument, LONGEST_USER_DATA, userDataOf } from "../../cluster/nodePool/userData";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";
import { parseEksImports, type ImportedResource } from "../../cluster/onEks/eksImports";
import { NO_LOCK, parseEksLock, type EksLock } from "../../cluster/onEks/eksLock";
import { foundAt } from "../../../foundation/schema/issues";

const EXPECTED = {
  al2023: "a script that begins with #!, a NodeConfig of node.eks.aws, or a document of MIME parts",
  bottlerocket: "settings of Bottlerocket, which begin with [settings",
} as const;

/** Reads the user data files, by pool. Adds faults to the resolver. */
export function readUserData({ files, faults }: Resolver, { nodePools, nodes }: EksInput): Record<string, string> {
  const texts = Object.entries(nodePools).flatMap(([name, { userData: file, os, ...pool }]): [string, string][] => {
    if (file === undefined) return [];
    const path: Path = ["cluster", "nodePools", name, "userData"];
    const read = tryRead(files, file);
    const text = "bytes" in read ? utf8Text(read.bytes) : undefined;
    const data = text === undefined ? undefined : userDataOf(os, text);
    if (data === undefined) {
      const trouble = "trouble" in read ? read.trouble : "something else";
      faults.push(mismatch(path, `${JSON.stringify(file)}, ${trouble}`, EXPECTED[os]));
      return [];
    }
    if (Buffer.byteLength(data) > LONGEST_USER_DATA) {
      faults.push(mismatch(path, `${Buffer.byteLength(data)} bytes`, `at most ${LONGEST_USER_DATA}, which EC2 takes`));
    }
    // Karpenter joins them by itself.
    const clash = isNodeGroup(nodes, name) ? clashOf(data, { os, ...pool }) : undefined;
    if (clash !== undefined) faults.push(mismatch(path, JSON.stringify(file), clash));
    return [[name, data]];
  });
  return Object.fromEntries(texts);
}

/** The expected value for user data that can't be joined with what the pool needs; undefined for others. */
function clashOf(
  data: string,
  { os, amiId, localStorage }: Pick<NodePoolInput, "os" | "amiId" | "localStorage">,
): string | undefined {
  if (os === "al2023")
    return (amiId ?? localStorage) !== undefined && isOwnDocument(data)
      ? "a script or a NodeConfig: MIME parts are not joined with those for amiId and localStorage"
      : undefined;
  const taken = [...(amiId ? ["kubernetes"] : []), ...(localStorage ? ["bootstrap-commands.local-storage"] : [])];
  const table = taken.find((name) => data.includes(`[settings.${name}]`));
  return table && `settings without a table [settings.${table}], which the platform writes`;
}

/**
 * Reads the recorded versions. A missing file counts as empty, because `stackyard eks lock` reads the config before it
 * writes the file.
 */
export function readEksLock({ files, place, faults }: Resolver, { lockFile }: EksInput): EksLock {
  const found = tryParse(files, lockFile, parseEksLock);
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
  const found = tryParse(files, importFile, parseEksImports);
  if ("lock" in found) return found.lock;
  const what = `${JSON.stringify(importFile)}, ${found.trouble}`;
  faults.push(mismatch(["cluster", "importFile"], what, "the file that stackyard eks import wrote"));
  return [];
}
