import { closest, distance } from "fastest-levenshtein";

/** The known word that `found` was most likely meant to be; undefined when none is close. */
export function nearest(found: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(
    found.toLowerCase(),
    known.map((word) => word.toLowerCase()),
  );
  const word = known.find((candidate) => candidate.toLowerCase() === best);
  return distance(found.toLowerCase(), best) <= Math.max(2, Math.floor(found.length / 3)) ? word : undefined;
}
