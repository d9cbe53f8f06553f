/** Which regular expressions mean the same in RE2 as in JavaScript, on plain texts. Pure. */

/** One part of an expression at a time; what no part is like, as flags, names, Unicode and classes of POSIX, is not known. */
const PARTS: readonly RegExp[] = [
  /[^\\[\](){}*+?|^$.]/y, // A character that means itself.
  /\\[dDwWsSbBtnr]/y,
  /\\[^A-Za-z0-9]/y,
  /[\^$.|)]/y,
  /\((?:\?:)?(?!\?)/y,
  /\[\^?(?:[^\\[\]]|\\[dDwWsStnr]|\\[^A-Za-z0-9])+\]/y,
  /[*+?]\??/y,
  /\{(\d{1,4})(?:,(\d{0,4}))?\}\??/y,
];
/** RE2 repeats no more often. */
const MOST = 1000;

export function isSharedPattern(pattern: unknown): boolean {
  if (typeof pattern !== "string") return false;
  let position = 0;
  while (position < pattern.length) {
    const match = PARTS.map((part) => {
      part.lastIndex = position;
      return part.exec(pattern);
    }).find((one) => one !== null);
    if (!match || match.slice(1).some((times) => Number(times ?? 0) > MOST)) return false;
    position += match[0].length;
  }
  return true;
}
