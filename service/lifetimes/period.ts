const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;
const SHORTEST = 60;
const LONGEST = 3_650 * 86_400;

export const PERIOD_EXPECTED = 'a period from "1m" to "3650d", such as "90m", "36h", "7d" or "1d12h"';

/** Reads a period in seconds, from the longest unit to the shortest; undefined if it is none. */
export function parsePeriod(text: string): number | undefined {
  const found = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text);
  if (!found) return undefined;
  const seconds = UNITS.reduce((sum, [, size], index) => sum + Number(found[index + 1] ?? 0) * size, 0);
  return seconds >= SHORTEST && seconds <= LONGEST ? seconds : undefined;
}

/** Formats a period: `90m` is `1h30m`. */
export function periodText(seconds: number): string {
  let left = seconds;
  return UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? `${count}${unit}` : "";
  }).join("");
}
