import { createHash } from "node:crypto";

/** The first `length` hex digits of the text's SHA-256. Distinguishes names that were truncated or altered. */
export const shortHash = (text: string, length: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

interface Shape {
  /** The readable part. Illegal characters are replaced, and it is truncated. */
  readonly text: string;
  /** The text to hash. */
  readonly whole: string;
  readonly hashLength: number;
  readonly longest: number;
  /** Replacement for a text without legal characters. */
  readonly empty: string;
}

/** Builds a DNS-1123 label: the legal part of the text, truncated to fit, and a hash of the whole. */
export function labelWithHash({ text, whole, hashLength, longest, empty }: Shape): string {
  const legible = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest - hashLength - 1)
    .replace(/^-+|-+$/g, "");
  return `${legible === "" ? empty : legible}-${shortHash(whole, hashLength)}`;
}
