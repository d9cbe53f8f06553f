/** Unchanged lines shown around a change. */
const AROUND = 2;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Longest common subsequence. Its quadratic cost does not matter for config files. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
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
  const shown = (index: number) => changed.some((place) => Math.abs(place - index) <= AROUND);
  return lines.flatMap(({ sign, text }, index) => {
    if (!shown(index)) return [];
    const gap = index > 0 && !shown(index - 1) && changed.some((place) => place < index);
    return [...(gap ? ["…"] : []), `${sign} ${text}`.trimEnd()];
  });
}
