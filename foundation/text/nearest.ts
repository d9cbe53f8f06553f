import { closest, distance } from "fastest-levenshtein";

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, "");

const letters = (word: string): string => [...plain(word)].sort().join("");

/**
 * Returns the entry of `known` that `word` was probably meant to be, or undefined if none is close. Ignores case, `_`
 * and `-`, so that `data_dir` finds `dataDir`. Swapped letters count as close, however short the word is.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const same = known.find((candidate) => plain(candidate) === plain(word));
  const swapped = same ?? known.find((candidate) => letters(candidate) === letters(word));
  if (swapped !== undefined) return swapped;
  const candidate = closest(word, [...known]);
  const away = distance(word, candidate);
  return away * 2 <= candidate.length && away <= Math.max(1, Math.floor(candidate.length / 3)) ? candidate : undefined;
}

/** The nearest entry of `known`, as the hint of a fault. */
export function didYouMean(word: unknown, known: readonly string[]): string | undefined {
  if (typeof word !== "string") return undefined;
  const candidate = nearest(word, known);
  return candidate === undefined ? undefined : `did you mean ${candidate}`;
}

/** Compares texts by their edit distance from `word`. */
export const nearestFirst = (word: string) => (a: string, b: string) => distance(a, word) - distance(b, word);
