import { UsageError } from "../../foundation/errors";

/** A number of runtimes, or a percentage of all of them. */
type Step = { readonly count: number } | { readonly percent: number };

/** `--wave`: one step that repeats, or the cumulative number after each wave. */
type Waves = readonly Step[];

/** Parses `5`, `10%` or `1,10%,50%`. */
export function parseWaves(text: string): Waves {
  const steps = text.split(",").map((part): Step | undefined => {
    const [, digits = "", sign] = /^\s*(\d{1,6})(%?)\s*$/.exec(part) ?? [];
    const value = Number(digits);
    if (value < 1 || (sign === "%" && value > 100)) return undefined;
    return sign === "%" ? { percent: value } : { count: value };
  });
  const known = steps.filter((step) => step !== undefined);
  if (known.length < steps.length) {
    const expected =
      "a number such as 5, a share such as 10%, or how many are to be done after each wave, such as 1,10%,50%";
    throw new UsageError(`--wave: found ${JSON.stringify(text)}; expected ${expected}`);
  }
  return known;
}

/**
 * Splits items into waves. A single step gives waves of that size. Of several steps, each is the cumulative number
 * after its wave, and a last wave takes the rest. Without steps there is one wave.
 */
export function inWaves<T>(items: readonly T[], waves: Waves | undefined): T[][] {
  const sizeOf = (step: Step): number =>
    "count" in step ? step.count : Math.max(1, Math.floor((items.length * step.percent) / 100));
  const [first, ...more] = waves ?? [];
  const done: number[] = [];
  if (first !== undefined && more.length === 0) {
    for (let end = sizeOf(first); end < items.length; end += sizeOf(first)) done.push(end);
  } else if (waves !== undefined) {
    done.push(...waves.map(sizeOf));
  }
  const ends = [...done, items.length].map((end) => Math.min(end, items.length));
  return ends
    .map((end, index) => items.slice(index === 0 ? 0 : Math.max(0, ...ends.slice(0, index)), end))
    .filter((wave) => wave.length > 0);
}
