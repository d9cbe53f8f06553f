/** Where lines are shown, from a change: two unchanged ones around it. */
const AROUND = [-2, -1, 0, 1, 2];

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Texts whose differing parts are larger are shown as a whole. */
const MOST_CELLS = 4_000_000;

const signed = (sign: Line["sign"], texts: readonly string[]): Line[] => texts.map((text) => ({ sign, text }));

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const least = Math.min(before.length, after.length);
  let [head, tail] = [0, 0];
  while (head < least && before[head] === after[head]) head++;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [old, now] = [before, after].map((lines) => lines.slice(head, lines.length - tail)) as [string[], string[]];
  const changed =
    old.length * now.length > MOST_CELLS ? [...signed("-", old), ...signed("+", now)] : longestCommon(old, now);
  return [...signed(" ", before.slice(0, head)), ...changed, ...signed(" ", before.slice(before.length - tail))];
}

/** Longest common subsequence, at quadratic cost. */
function longestCommon(before: readonly string[], after: readonly string[]): Line[] {
  const longest = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now) {
      lines.push({ sign: " ", text: old });
      i++;
      j++;
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: "-", text: old });
      i++;
    } else if (now !== undefined) {
      lines.push({ sign: "+", text: now });
      j++;
    }
  }
  return lines;
}

/** Returns the changed lines between two texts with some context; empty if they are equal. */
export function diff(before: string, after: string): string[] {
  const split = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  const lines = compare(split(before), split(after));
  const changed = lines.flatMap(({ sign }, index) => (sign === " " ? [] : [index]));
  const near = new Set(changed.flatMap((place) => AROUND.map((step) => place + step)));
  const first = changed[0] ?? 0;
  return lines.flatMap(({ sign, text }, index) => {
    if (!near.has(index)) return [];
    const gap = index > 0 && !near.has(index - 1) && first < index;
    return [...(gap ? ["…"] : []), `${sign} ${text}`.trimEnd()];
  });
}
