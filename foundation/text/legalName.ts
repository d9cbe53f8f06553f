import { createHash } from "node:crypto";

/** What distinguishes names that were cut or altered: the first `length` hex digits of the text's SHA-256. */
export const shortHash = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

interface Shape {
  /** What a reader sees of it; made legal and cut. */
  readonly text: string;
  /** What distinguishes it. */
  readonly whole: string;
  readonly hashLength: number;
  readonly longest: number;
  /** Stands for a text of which nothing is legal. */
  readonly empty: string;
}

/** A DNS-1123 label: as much of the text as is legal and fits, and a hash of the whole. */
export function labelWithHash({ text, whole, hashLength, longest, empty }: Shape): string {
  const legible = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest - hashLength - 1)
    .replace(/^-+|-+$/g, "");
  return `${legible === "" ? empty : legible}-${shortHash(whole, hashLength)}`;
}
