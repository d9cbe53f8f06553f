/** Packs the files of a bundle into a reproducible archive. */

import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { Header, Pax } from "tar";
import { digestOf } from "../../foundation/digest";
import { Refused } from "../errors";
import { LIMITS } from "../limits";
import { byCode, type FileTree } from "../tree/tree";

export interface Packed {
  /** The tar.gz. */
  readonly bytes: Buffer;
  readonly digest: string;
  /** Digest of the uncompressed tar. */
  readonly unpackedDigest: string;
}

const BLOCK = 512;
/** Position of gzip's byte for the operating system, and its value for "unknown". */
const SYSTEM = { at: 9, unset: 255 };

/** Packs a bundle. Throws {@link Refused} if it exceeds the limits for unpacking. */
export async function packTree(tree: FileTree): Promise<Packed> {
  const tar = tarOf(tree);
  const bytes = await promisify(gzip)(tar, { level: constants.Z_BEST_COMPRESSION });
  bytes[SYSTEM.at] = SYSTEM.unset;
  if (tar.length > LIMITS.ratioFrom && tar.length > LIMITS.ratio * bytes.length) {
    throw new Refused(`its archive would unpack to more than ${LIMITS.ratio} times its size, and no source takes that`);
  }
  return { bytes, digest: digestOf(bytes), unpackedDigest: digestOf(tar) };
}

function tarOf({ files, emptyFolders }: FileTree): Buffer {
  const entries: [string, Buffer | undefined][] = [
    ...files,
    ...emptyFolders.map((folder): [string, undefined] => [`${folder}/`, undefined]),
  ];
  entries.sort(([a], [b]) => byCode(a, b));
  return Buffer.concat([...entries.flatMap(([path, content]) => entryOf(path, content)), Buffer.alloc(2 * BLOCK)]);
}

/** No owner, no time, and fixed permissions. */
function entryOf(path: string, content: Buffer | undefined): Buffer[] {
  const size = content?.length ?? 0;
  const block = Buffer.alloc(BLOCK);
  const header = new Header({
    path,
    type: content === undefined ? "Directory" : "File",
    mode: content === undefined ? 0o755 : 0o644,
    uid: 0,
    gid: 0,
    size,
    mtime: new Date(0),
  });
  const long = header.encode(block, 0);
  const rest = Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  return [...(long ? [new Pax({ path }).encode()] : []), block, ...(content === undefined ? [] : [content, rest])];
}
