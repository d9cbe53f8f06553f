import { RESPONSE_BYTES, MIB } from "../foundation/net/bytes";

export { mib } from "../foundation/net/bytes";

/** Limits on what a source may make us read, keep or wait for. Content is rejected as soon as it exceeds one. */
export interface ReadLimits {
  /** An archive or a layer, compressed. */
  readonly archiveBytes: number;
  /** A zip archive. It is held in memory, because its directory is at the end. */
  readonly zipBytes: number;
  /** Unpacked size of an archive, or of all layers of an image, including files that are not kept. */
  readonly unpackedBytes: number;
  /** Maximum ratio of unpacked to compressed size, above `ratioFrom`. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Entries of all kinds. */
  readonly entries: number;
  /** The bundle's own files, which are held in memory. */
  readonly keptFiles: number;
  readonly keptBytes: number;
  readonly fileBytes: number;
  /** Length of a path, and of each name in it. */
  readonly pathBytes: number;
  readonly nameBytes: number;
  /** Nesting of folders. */
  readonly depth: number;
  /** A manifest, index or config of an image, and any other response that is not content. */
  readonly answerBytes: number;
  readonly layers: number;
  /** Disk space for git to fetch one commit. */
  readonly gitBytes: number;
  /** Kubernetes objects per bundle. */
  readonly objects: number;
  /** Non-empty YAML documents per bundle. */
  readonly documents: number;
  /** Values of one YAML document with its aliases expanded, and of all documents of a bundle. */
  readonly nodes: number;
  readonly allNodes: number;
  /** Characters per bundle that are parsed again with the indentation that kubectl does not require. */
  readonly fixedCharacters: number;
}

export const LIMITS: ReadLimits = {
  archiveBytes: 512 * MIB,
  zipBytes: 64 * MIB,
  unpackedBytes: 2048 * MIB,
  ratio: 200,
  ratioFrom: 8 * MIB,
  entries: 200_000,
  keptFiles: 20_000,
  keptBytes: 64 * MIB,
  fileBytes: 16 * MIB,
  pathBytes: 4096,
  nameBytes: 255,
  depth: 64,
  answerBytes: RESPONSE_BYTES,
  layers: 128,
  gitBytes: 1024 * MIB,
  objects: 20_000,
  documents: 30_000,
  nodes: 1_000_000,
  allNodes: 8_000_000,
  fixedCharacters: 64 * MIB,
};
