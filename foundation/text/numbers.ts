/** Formats a duration: `0.8 s`, `12 s`, `3 min 5 s`. */
export function seconds(milliseconds: number): string {
  const value = milliseconds / 1000;
  if (value < 9.95) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  if (whole < 60) return `${whole} s`;
  return whole % 60 === 0 ? `${Math.floor(whole / 60)} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const STEPS = [
  [60, "s", 1],
  [3600, "min", 60],
  [48 * 3600, "h", 3600],
  [Infinity, "d", 24 * 3600],
] as const;

/** Formats an age in one unit: `12 s`, `5 min`, `3 h`, `9 d`. */
export function ago(then: Date, now: Date): string {
  const past = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  const [, unit, size] = STEPS.find(([limit]) => past < limit) ?? STEPS[3];
  return `${Math.floor(past / size)} ${unit}`;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Formats a size in bytes: `40 GiB`, `1.5 TiB`. */
export function bytes(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)} ${UNITS[unit] ?? "B"}`;
}

/** Formats a count with its noun: `1 slot`, `2 slots`. */
export function count(value: number, word: string): string {
  return `${value} ${word}${value === 1 ? "" : "s"}`;
}
