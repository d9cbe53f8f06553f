import { ANSWER_BYTES, MIB } from "../foundation/net/bytes";

export { mib } from "../foundation/net/bytes";

/** Bounds on what a source may make us read, keep or wait for. Content beyond one is refused as soon as it is reached. */
export interface Limits {
  /** An archive or a layer, as it comes. */
  readonly archiveBytes: number;
  /** A zip archive as it comes; its directory is at its end, so all of it is held in memory. */
  readonly zipBytes: number;
  /** What an archive, or all layers of an image, unpack to, whether it is kept or not. */
  readonly unpackedBytes: number;
  /** How many times larger than it came an archive may become, once it is larger than `ratioFrom`. */
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
  /** Folders in folders. */
  readonly depth: number;
  /** A manifest, index or config of an image, and any answer that is no content. */
  readonly answerBytes: number;
  readonly layers: number;
  /** What git may write to disk while it fetches one commit. */
  readonly gitBytes: number;
  /** Kubernetes objects of one bundle. */
  readonly objects: number;
  /** YAML documents of one bundle that hold anything. */
  readonly documents: number;
  /** Values of one YAML document with its aliases written out, and of all documents of a bundle. */
  readonly nodes: number;
  readonly allNodes: number;
  /** Characters of one bundle that are read again, because they are fixed where kubectl is more lenient. */
  readonly fixedCharacters: number;
}

export const LIMITS: Limits = {
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
  answerBytes: ANSWER_BYTES,
  layers: 128,
  gitBytes: 1024 * MIB,
  objects: 20_000,
  documents: 30_000,
  nodes: 1_000_000,
  allNodes: 8_000_000,
  fixedCharacters: 64 * MIB,
};
